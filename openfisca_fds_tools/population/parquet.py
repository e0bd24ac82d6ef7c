"""Concatenate Parquet files without decoding them: column chunks are copied, footers rewritten.

Workers compress their blocks; the final file is then a copy at the speed of the disk, where decoding and
encoding again would serialise the end of the run. Only what the Parquet format calls its footer (a Thrift
structure in compact protocol) is read and written here.
"""

import shutil
import struct
from pathlib import Path

MAGIC = b"PAR1"
_FOOTER_TAIL = 8  # length of the footer (4 bytes) and the magic number (4 bytes)

# Thrift compact types
_TRUE, _FALSE, _BYTE, _I16, _I32, _I64, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = range(1, 13)
_INTEGERS = (_I16, _I32, _I64)

# Field numbers of the format (parquet.thrift)
_FILE_ROWS, _FILE_ROW_GROUPS = 3, 4
_GROUP_COLUMNS, _GROUP_ROWS, _GROUP_OFFSET, _GROUP_ORDINAL = 1, 3, 5, 7
_CHUNK_OFFSET, _CHUNK_METADATA = 2, 3
_CHUNK_INDEXES = (4, 6)
_METADATA_OFFSETS = (9, 10, 11, 14)


class _Reader:
    """Thrift compact protocol to dictionaries {field: [type, value]}."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def varint(self) -> int:
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    def integer(self) -> int:
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    def take(self, length: int) -> bytes:
        self.at += length
        return self.data[self.at - length : self.at]

    def value(self, kind: int):
        if kind in _INTEGERS:
            return self.integer()
        if kind == _BINARY:
            return self.take(self.varint())
        if kind == _STRUCT:
            return self.struct()
        if kind in (_LIST, _SET):
            header = self.take(1)[0]
            size, kind = header >> 4, header & 0x0F
            if size == 0x0F:
                size = self.varint()
            return kind, [self.value(kind) for _ in range(size)]
        if kind in (_TRUE, _FALSE, _BYTE):  # inside a list, a boolean takes one byte
            return self.take(1)
        if kind == _DOUBLE:
            return self.take(8)
        raise ValueError(f"Unexpected Thrift type {kind} in a Parquet footer.")

    def struct(self) -> dict:
        fields, field = {}, 0
        while header := self.take(1)[0]:
            kind = header & 0x0F
            field = field + (header >> 4) if header >> 4 else self.integer()
            fields[field] = [kind, None if kind in (_TRUE, _FALSE) else self.value(kind)]
        return fields


class _Writer:
    """Dictionaries {field: [type, value]} to Thrift compact protocol."""

    def __init__(self) -> None:
        self.out = bytearray()

    def varint(self, value: int) -> None:
        while value >= 0x80:
            self.out.append(value & 0x7F | 0x80)
            value >>= 7
        self.out.append(value)

    def integer(self, value: int) -> None:
        self.varint((value << 1) ^ (value >> 63))

    def value(self, kind: int, value) -> None:
        if kind in _INTEGERS:
            self.integer(value)
        elif kind == _BINARY:
            self.varint(len(value))
            self.out += value
        elif kind == _STRUCT:
            self.struct(value)
        elif kind in (_LIST, _SET):
            self.list_header(value[0], len(value[1]))
            for item in value[1]:
                self.value(value[0], item)
        else:
            self.out += value

    def list_header(self, kind: int, size: int) -> None:
        if size < 0x0F:
            self.out.append(size << 4 | kind)
        else:
            self.out.append(0xF0 | kind)
            self.varint(size)

    def field(self, field: int, previous: int, kind: int) -> None:
        if 0 < field - previous < 16:
            self.out.append((field - previous) << 4 | kind)
        else:
            self.out.append(kind)
            self.integer(field)

    def struct(self, fields: dict) -> None:
        previous = 0
        for field, (kind, value) in sorted(fields.items()):
            self.field(field, previous, kind)
            previous = field
            if kind not in (_TRUE, _FALSE):
                self.value(kind, value)
        self.out.append(0)


def _shift(row_group: dict, delta: int) -> None:
    """Move every offset of a row group by ``delta`` bytes."""
    if _GROUP_OFFSET in row_group:
        row_group[_GROUP_OFFSET][1] += delta
    row_group.pop(_GROUP_ORDINAL, None)  # optional, and too narrow for many blocks
    for chunk in row_group[_GROUP_COLUMNS][1][1]:
        if chunk[_CHUNK_OFFSET][1]:
            chunk[_CHUNK_OFFSET][1] += delta
        for field in _CHUNK_INDEXES:
            if field in chunk:
                chunk[field][1] += delta
        metadata = chunk[_CHUNK_METADATA][1]
        for field in _METADATA_OFFSETS:
            if field in metadata:
                metadata[field][1] += delta


class ParquetAppender:
    """Append whole Parquet files of one schema into a single one, in bounded memory.

    Use as a context manager; the footer is written on a clean exit only, so that an interrupted file has no
    magic number at its end and cannot pass for a whole one.

    Args:
        path: file to write (replaced when it exists).
    """

    def __init__(self, path: Path) -> None:
        self._file = open(path, "wb")  # noqa: SIM115 -- closed by __exit__
        self._file.write(MAGIC)
        self._footer: dict | None = None
        self._row_groups: list[bytes] = []
        self.rows = 0

    def append(self, part: Path) -> None:
        """Append the row groups of ``part``, a whole Parquet file with the schema of the first one.

        Raises:
            ValueError: ``part`` is not a Parquet file.
        """
        with open(part, "rb") as source:
            size = source.seek(0, 2)
            source.seek(max(size - _FOOTER_TAIL, 0))
            tail = source.read()
            if len(tail) < _FOOTER_TAIL or tail[4:] != MAGIC:
                raise ValueError(f"{part} is not a whole Parquet file.")
            (length,) = struct.unpack("<I", tail[:4])
            body_end = size - _FOOTER_TAIL - length
            source.seek(body_end)
            footer = _Reader(source.read(length)).struct()
            delta = self._file.tell() - len(MAGIC)
            source.seek(len(MAGIC))
            self._copy(source, body_end - len(MAGIC))
        for row_group in footer[_FILE_ROW_GROUPS][1][1]:
            self.rows += row_group[_GROUP_ROWS][1]
            _shift(row_group, delta)
            writer = _Writer()
            writer.struct(row_group)
            self._row_groups.append(bytes(writer.out))
        if self._footer is None:
            self._footer = {field: value for field, value in footer.items() if field != _FILE_ROW_GROUPS}

    def _copy(self, source, length: int) -> None:
        while length:
            data = source.read(min(length, shutil.COPY_BUFSIZE))
            if not data:
                raise ValueError(f"{source.name} is shorter than its footer says.")
            self._file.write(data)
            length -= len(data)

    def _write_footer(self) -> None:
        writer, previous = _Writer(), 0
        self._footer[_FILE_ROWS][1] = self.rows
        for field in sorted({*self._footer, _FILE_ROW_GROUPS}):
            kind, value = self._footer.get(field, (_LIST, None))
            writer.field(field, previous, kind)
            previous = field
            if field == _FILE_ROW_GROUPS:
                writer.list_header(_STRUCT, len(self._row_groups))
                for row_group in self._row_groups:
                    writer.out += row_group
            elif kind not in (_TRUE, _FALSE):
                writer.value(kind, value)
        writer.out.append(0)
        self._file.write(writer.out + struct.pack("<I", len(writer.out)) + MAGIC)

    def __enter__(self) -> "ParquetAppender":
        return self

    def __exit__(self, kind, error, trace) -> None:
        if kind is None and self._footer is not None:
            self._write_footer()
        self._file.close()
