"""The pure core: records, their text form, their shape, and how two versions become one."""
