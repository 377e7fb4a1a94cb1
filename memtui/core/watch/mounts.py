"""Which directories lie on file systems whose changes the kernel does not report (made on another machine)."""

from __future__ import annotations

import os
from pathlib import Path

from memtui.core import fs
from memtui.late import re
from memtui.late.dataclasses import dataclass

MOUNTINFO = Path("/proc/self/mountinfo")
"""The kernel's table of mounts, proc(5); other systems have none."""

_NETWORK = (
    frozenset({"9p", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "fakeowner", "gfs2", "glusterfs"})
    | {"gpfs", "lustre", "ncpfs", "nfs", "nfs4", "ocfs2", "orangefs", "prl_fs", "smb2", "smb3", "smbfs"}
    | {"vboxsf", "virtiofs", "vmhgfs", "fuse.blobfuse2", "fuse.ceph", "fuse.cephfs", "fuse.cifs"}
    | {"fuse.davfs", "fuse.davfs2", "fuse.gcsfuse", "fuse.glusterfs", "fuse.grpcfuse", "fuse.juicefs"}
    | {"fuse.osxfs", "fuse.rclone", "fuse.s3fs", "fuse.smbnetfs", "fuse.sshfs", "fuse.vmhgfs-fuse"}
)
_ESCAPE = re.compile(r"\\([0-7]{3})")


@dataclass(frozen=True, slots=True)
class Mount:
    """One mount: where, and the type of its file system."""

    point: str
    type: str


def read_mounts(path: Path = MOUNTINFO) -> tuple[Mount, ...]:
    """The mounts of this process in the order they were made; nothing where there is no table."""
    try:
        return parse_mounts(os.fsdecode(fs.read_file(path).data))
    except OSError:
        return ()


def parse_mounts(text: str) -> tuple[Mount, ...]:
    """Mounts of a mountinfo table: the 5th field is the place, the one behind ` - ` the type."""
    found = []
    for line in text.splitlines():
        before, dash, after = line.partition(" - ")
        fields = before.split(" ")
        if dash and len(fields) >= 5:
            point = _ESCAPE.sub(lambda match: chr(int(match[1], 8)), fields[4])
            found.append(Mount(point, after.split(" ")[0]))
    return tuple(found)


def network_type(path: str, mounts: tuple[Mount, ...]) -> str:
    """The type of the network file system that `path` (absolute, no symlinks) lies on, else ''.

    The longest mount point above a path holds it; of two at one point the later one.
    """
    holder = Mount("", "")
    for mount in mounts:
        point = mount.point.rstrip("/")
        if (path == point or path.startswith(point + "/")) and len(mount.point) >= len(holder.point):
            holder = mount
    return holder.type if holder.type in _NETWORK else ""
