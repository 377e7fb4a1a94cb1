"""A thread hands on to another one while it is within a long step, and only then."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from memtui.ui.relay import MOST_LEFT, Relay

LIMIT_S = 30


class Runner:
    """Each of its threads is within a step until it may go on."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.relay = Relay(self._run, "runner", self.lock)
        self.began, self.goes_on = threading.Semaphore(0), threading.Event()
        self.is_long = True
        self.left: list[bool] = []
        self.ended = threading.Semaphore(0)

    def _run(self) -> None:
        with self.relay.step(is_long=self.is_long):
            self.began.release()
            assert self.goes_on.wait(LIMIT_S)
        self.left.append(self.relay.is_left)
        self.ended.release()

    def pass_on(self) -> None:
        with self.lock:
            self.relay.pass_on()

    def wait_for(self, semaphore: threading.Semaphore) -> None:
        assert semaphore.acquire(timeout=LIMIT_S)


@pytest.fixture
def runner() -> Runner:
    return Runner()


def test_another_thread_goes_on_beside_a_long_step(runner: Runner) -> None:
    runner.relay.start()
    runner.wait_for(runner.began)
    runner.pass_on()
    runner.wait_for(runner.began)
    runner.goes_on.set()
    runner.wait_for(runner.ended)
    runner.wait_for(runner.ended)
    assert sorted(runner.left) == [False, True]


def test_none_goes_on_beside_what_is_soon_over(runner: Runner) -> None:
    runner.is_long = False
    runner.relay.start()
    runner.wait_for(runner.began)
    runner.pass_on()
    runner.goes_on.set()
    runner.wait_for(runner.ended)
    assert runner.left == [False]


def test_so_many_are_left_within_their_steps_and_no_more(runner: Runner) -> None:
    runner.relay.start()
    for _ in range(MOST_LEFT):
        runner.wait_for(runner.began)
        runner.pass_on()
    runner.wait_for(runner.began)
    runner.pass_on()
    assert not runner.began.acquire(blocking=False)
    runner.goes_on.set()
    for _ in range(MOST_LEFT + 1):
        runner.wait_for(runner.ended)
    assert runner.left.count(True) == MOST_LEFT


def test_what_is_not_long_within_a_long_step_is_waited_for() -> None:
    seen: list[int] = []
    relay: Relay
    lock, steps = threading.Lock(), threading.Event()

    def pass_on() -> None:
        with lock:
            relay.pass_on()

    def run() -> None:
        seen.append(threading.get_ident())
        if len(seen) > 1:
            return
        with relay.step():
            with relay.step(is_long=False):
                other(pass_on)
            assert len(seen) == 1
            other(pass_on)
        steps.set()

    relay = Relay(run, "runner", lock)
    relay.start()
    assert steps.wait(LIMIT_S)
    relay.end(LIMIT_S)
    assert len(set(seen)) == 2


def other(work: Callable[[], None]) -> None:
    """Do something in a thread of its own."""
    thread = threading.Thread(target=work)
    thread.start()
    thread.join(LIMIT_S)
