"""The standard library's dataclasses, their methods made at first use (`memtui.late.making`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # for whoever checks types these are the real ones
    from dataclasses import asdict as asdict
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
    from dataclasses import fields as fields
    from dataclasses import replace as replace
else:
    from memtui.late.making import asdict, dataclass, field, fields, replace

__all__ = ["asdict", "dataclass", "field", "fields", "replace"]
