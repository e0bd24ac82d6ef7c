"""Concatenate Parquet files without decoding them: column chunks are copied, footers rewritten.

Workers compress their blocks; the final file is then a copy at the speed of the disk, where decoding and
encoding again would serialise the end of the run. Only what the Parquet format calls its footer (a Thrift
structure in compact protocol) is read and written here.
"""

import marshal
import mmap
import shutil
import struct
from pathlib import Path

MAGIC = b"PAR1"
_DRAFT = b"DRFT"  # instead of MAGIC, when the footer is a marshalled dictionary
_FOOTER_TAIL = 8  # length of the footer (4 bytes) and the magic number (4 bytes)

# Thrift compact types
_TRUE, _FALSE, _BYTE, _I16, _I32, _I64, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = range(1, 13)
_INTEGERS = (_I16, _I32, _I64)

# Field numbers of the format (parquet.thrift)
_FILE_ROWS, _FILE_ROW_GROUPS = 3, 4
_GROUP_COLUMNS, _GROUP_ROWS, _GROUP_OFFSET, _GROUP_ORDINAL = 1, 3, 5, 7
_GROUP_SIZES = ((2, 6), (6, 7))  # uncompressed and compressed sizes: field of the group, field of its columns
_CHUNK_OFFSET, _CHUNK_METADATA = 2, 3
_CHUNK_INDEXES = (4, 6)
_METADATA_OFFSETS = (9, 10, 11, 14)
_METADATA_PATH, _METADATA_VALUES, _METADATA_SIZE = 3, 5, 7
_METADATA_PAGES = (9, 11)  # first data page, dictionary page
_PAGE_UNCOMPRESSED, _PAGE_COMPRESSED = 2, 3
_PAGE_DATA, _PAGE_DICTIONARY = (5, 8), 7  # headers of the pages of data (versions 1 and 2), of a dictionary
_PAGE_VALUES = 1  # of each of these headers


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
        if self.at > len(self.data):
            raise ValueError("A Thrift structure goes beyond the end of its data.")
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
        """Read a structure; the numbers of one byte, by far the most frequent, without a call."""
        data, at, fields, field = self.data, self.at, {}, 0
        while header := data[at]:
            at += 1
            kind = header & 0x0F
            if header >> 4:
                field += header >> 4
            else:
                self.at = at
                field, at = self.integer(), self.at
            if kind in _INTEGERS and data[at] < 0x80:
                byte = data[at]
                at += 1
                fields[field] = [kind, (byte >> 1) ^ -(byte & 1)]
            elif kind in (_TRUE, _FALSE):
                fields[field] = [kind, None]
            else:
                self.at = at
                fields[field] = [kind, self.value(kind)]
                at = self.at
        self.at = at + 1
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
        if _I16 <= kind <= _I64:
            self.varint((value << 1) ^ (value >> 63))
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
        for field in sorted(fields):
            kind, value = fields[field]
            self.field(field, previous, kind)
            previous = field
            if kind > _FALSE:
                self.value(kind, value)
        self.out.append(0)


def check_pages(path: Path) -> None:
    """Check what the headers of the pages announce.

    Polars reserves memory for as many values as a header says, and aborts the process when a damaged one says too
    many: no exception, hence this reading beforehand, of the headers alone.

    Args:
        path: a Parquet file.

    Raises:
        ValueError: the file is not a whole Parquet file, or a header contradicts the footer.
    """
    with open(path, "rb") as source, mmap.mmap(source.fileno(), 0, access=mmap.ACCESS_READ) as data:
        try:
            footer, body_end = _read_footer(source)
            for group in footer[_FILE_ROW_GROUPS][1][1]:
                for chunk in group[_GROUP_COLUMNS][1][1]:
                    _check_chunk(data, chunk[_CHUNK_METADATA][1], body_end)
        except (LookupError, TypeError, OverflowError, RecursionError) as error:
            raise ValueError(f"{path.name}: damaged footer or page header.") from error


def _check_chunk(data, metadata: dict, body_end: int) -> None:
    """Walk from page to page through a column chunk."""
    offsets = [metadata[field][1] for field in _METADATA_PAGES if field in metadata]
    reader = _Reader(data)
    reader.at = min(offset for offset in offsets if offset > 0)  # 0: no dictionary, for some writers
    end = reader.at + metadata[_METADATA_SIZE][1]
    left = metadata[_METADATA_VALUES][1]
    while reader.at < end <= body_end:
        page = reader.struct()
        sizes = [page[field][1] for field in (_PAGE_UNCOMPRESSED, _PAGE_COMPRESSED)]
        for field in _PAGE_DATA:
            if field in page:
                values = page[field][1][_PAGE_VALUES][1]
                left -= values
                sizes += [values, left]
        if _PAGE_DICTIONARY in page:
            values = page[_PAGE_DICTIONARY][1][_PAGE_VALUES][1]
            sizes += [values, page[_PAGE_UNCOMPRESSED][1] - values]  # a value takes one byte at least
        if min(sizes) < 0:
            raise ValueError("A page header contradicts its column.")
        reader.at += page[_PAGE_COMPRESSED][1]
    if reader.at != end or left:
        raise ValueError("The pages of a column do not hold what its description says.")


def _moved(chunk: dict, delta: int) -> dict:
    """Copy of the description of a column chunk, every offset moved by ``delta`` bytes."""
    metadata = dict(chunk[_CHUNK_METADATA][1])
    moved = {**chunk, _CHUNK_METADATA: [_STRUCT, metadata]}
    if chunk[_CHUNK_OFFSET][1]:
        moved[_CHUNK_OFFSET] = [_I64, chunk[_CHUNK_OFFSET][1] + delta]
    for fields, offsets in ((moved, _CHUNK_INDEXES), (metadata, _METADATA_OFFSETS)):
        for field in offsets:
            if field in fields:
                fields[field] = [fields[field][0], fields[field][1] + delta]
    return moved


def _read_footer(source) -> tuple[dict, int]:
    """Footer of an open file, Parquet or draft, and the position where the column chunks end.

    Raises:
        ValueError: the file is neither, or is not whole.
    """
    size = source.seek(0, 2)
    source.seek(max(size - _FOOTER_TAIL, 0))
    tail = source.read()
    if len(tail) < _FOOTER_TAIL or tail[4:] not in (MAGIC, _DRAFT):
        raise ValueError(f"{source.name} is not a whole Parquet file.")
    (length,) = struct.unpack("<I", tail[:4])
    body_end = size - _FOOTER_TAIL - length
    source.seek(body_end)
    footer = source.read(length)
    return (_Reader(footer).struct() if tail[4:] == MAGIC else marshal.loads(footer)), body_end


class RowGroup:
    """The only row group of a small Parquet file, in memory.

    Args:
        path: the file; it must hold one row group, of flat columns.

    Attributes:
        rows: number of rows.
        footer: footer of the file.
        chunks: name of each column -> (its description, its bytes, the offset they had).

    Raises:
        ValueError: the file is not whole, or holds several row groups.
    """

    def __init__(self, path: Path) -> None:
        with open(path, "rb") as source:
            self.footer, _ = _read_footer(source)
            (group,) = self.footer[_FILE_ROW_GROUPS][1][1]
            self.rows = group[_GROUP_ROWS][1]
            self.chunks = {}
            for chunk in group[_GROUP_COLUMNS][1][1]:
                metadata = chunk[_CHUNK_METADATA][1]
                start = min(metadata[field][1] for field in _METADATA_PAGES if field in metadata)
                source.seek(start)
                name = b".".join(metadata[_METADATA_PATH][1][1]).decode()
                self.chunks[name] = chunk, source.read(metadata[_METADATA_SIZE][1]), start


class ParquetAppender:
    """Append whole Parquet files of one schema into a single one, in bounded memory.

    Use as a context manager; the footer is written on a clean exit only, so that an interrupted file has no
    magic number at its end and cannot pass for a whole one.

    Args:
        path: file to write (replaced when it exists).
        draft: leave a footer that only this class reads, ten times faster than the Thrift of Parquet, for a file
            that will be appended to another.
    """

    def __init__(self, path: Path, draft: bool = False) -> None:
        self._file = open(path, "wb")  # noqa: SIM115 -- closed by __exit__
        self._file.write(MAGIC)
        self._draft = draft
        self._footer: dict | None = None
        self._row_groups: list = []  # Thrift bytes; dictionaries in a draft
        self.rows = 0

    def append(self, part: Path) -> None:
        """Append the row groups of ``part``, a whole Parquet file (or draft) with the schema of the first one.

        Raises:
            ValueError: ``part`` is not a Parquet file.
        """
        with open(part, "rb") as source:
            footer, body_end = _read_footer(source)
            delta = self._file.tell() - len(MAGIC)
            source.seek(len(MAGIC))
            self._copy(source, body_end - len(MAGIC))
        for group in footer[_FILE_ROW_GROUPS][1][1]:
            self._add(group, [_moved(chunk, delta) for chunk in group[_GROUP_COLUMNS][1][1]])
        self._keep(footer)

    def append_columns(self, whole: RowGroup, changed: RowGroup) -> None:
        """Append one row group: the columns of ``changed``, and those of ``whole`` that it lacks.

        What is the same in many row groups is thus encoded once. The schema is that of ``whole``.

        Raises:
            ValueError: the two do not have the same rows.
        """
        if whole.rows != changed.rows:
            raise ValueError(f"Row groups of {whole.rows} and {changed.rows} rows cannot be joined.")
        chunks = []
        for name, chunk in whole.chunks.items():
            description, data, start = changed.chunks.get(name, chunk)
            chunks.append(_moved(description, self._file.tell() - start))
            self._file.write(data)
        (group,) = whole.footer[_FILE_ROW_GROUPS][1][1]
        sizes = {field: sum(c[_CHUNK_METADATA][1][m][1] for c in chunks) for field, m in _GROUP_SIZES if field in group}
        group = {**group, **{field: [_I64, size] for field, size in sizes.items()}}
        self._add(group, chunks)
        self._keep(whole.footer)

    def _add(self, group: dict, chunks: list[dict]) -> None:
        """Record a row group whose column chunks are already written."""
        self.rows += group[_GROUP_ROWS][1]
        kind = group[_GROUP_COLUMNS][1][0]
        group = {**group, _GROUP_COLUMNS: [_LIST, (kind, chunks)]}
        for optional in (_GROUP_OFFSET, _GROUP_ORDINAL):  # the second is too narrow for many blocks
            group.pop(optional, None)
        if not self._draft:
            writer = _Writer()
            writer.struct(group)
            group = bytes(writer.out)
        self._row_groups.append(group)

    def _keep(self, footer: dict) -> None:
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
        self._footer[_FILE_ROWS] = [_I64, self.rows]
        if self._draft:
            footer = marshal.dumps({**self._footer, _FILE_ROW_GROUPS: [_LIST, (_STRUCT, self._row_groups)]})
            self._file.write(footer + struct.pack("<I", len(footer)) + _DRAFT)
            return
        writer, previous = _Writer(), 0
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
