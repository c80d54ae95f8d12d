# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cache gives back what was put there, and nothing else, whatever became of its files."""

from __future__ import annotations

import os
import pathlib
import random
import stat
import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.support import processes
from xgpu.core.support import cache

DATA = b"what is kept " * 100


@pytest.fixture
def folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    monkeypatch.delenv("XGPU_NO_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "xgpu"


def only_file(folder: pathlib.Path) -> pathlib.Path:
    (found,) = folder.iterdir()
    return found


def test_what_was_put_is_found(folder: pathlib.Path) -> None:
    assert cache.get("native", "a") is None
    assert not folder.exists()
    cache.put("native", "a", DATA)
    assert cache.get("native", "a") == DATA
    assert cache.get("native", "b") is None
    assert cache.get("other", "a") is None
    cache.put("native", "a", b"")
    assert cache.get("native", "a") == b""


def test_it_is_private(folder: pathlib.Path) -> None:
    old = os.umask(0)
    try:
        cache.put("native", "a", DATA)
    finally:
        os.umask(old)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(only_file(folder).stat().st_mode) == 0o600


def test_a_folder_that_others_could_read_is_closed(folder: pathlib.Path) -> None:
    folder.mkdir(mode=0o755)
    cache.put("native", "a", DATA)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert cache.get("native", "a") == DATA


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o1777])
def test_a_folder_that_others_could_write_is_refused(folder: pathlib.Path, mode: int) -> None:
    cache.put("native", "a", DATA)
    folder.chmod(mode)
    assert cache.get("native", "a") is None
    cache.put("native", "b", DATA)
    assert len(list(folder.iterdir())) == 1


def _truncate(path: pathlib.Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def _cut_header(path: pathlib.Path) -> None:
    path.write_bytes(path.read_bytes()[:20])


def _empty(path: pathlib.Path) -> None:
    path.write_bytes(b"")


def _zero(path: pathlib.Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def _flip_content(path: pathlib.Path) -> None:
    raw = bytearray(path.read_bytes())
    raw[-5] ^= 1
    path.write_bytes(raw)


def _flip_checksum(path: pathlib.Path) -> None:
    raw = bytearray(path.read_bytes())
    raw[20] ^= 0x80
    path.write_bytes(raw)


def _append(path: pathlib.Path) -> None:
    path.write_bytes(path.read_bytes() + b"x")


def _open_to_others(path: pathlib.Path) -> None:
    path.chmod(0o666)


def _link(path: pathlib.Path) -> None:
    elsewhere = path.parent.parent / "elsewhere"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)


def _fifo(path: pathlib.Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize(
    "damage",
    [
        _truncate, _cut_header, _empty, _zero, _flip_content, _flip_checksum, _append,
        _open_to_others, _link, _fifo,
    ],
)  # fmt: skip
def test_a_damaged_file_is_none(
    folder: pathlib.Path, damage: Callable[[pathlib.Path], None]
) -> None:
    cache.put("native", "a", DATA)
    path = only_file(folder)
    damage(path)
    assert cache.get("native", "a") is None
    assert not path.exists(follow_symlinks=False) if sys.version_info >= (3, 12) else True
    cache.put("native", "a", DATA)
    assert cache.get("native", "a") == DATA


def test_a_folder_in_the_place_of_a_file(folder: pathlib.Path) -> None:
    cache.put("native", "a", DATA)
    path = only_file(folder)
    path.unlink()
    path.mkdir()
    assert cache.get("native", "a") is None
    cache.put("native", "a", DATA)  # nothing to be done, and nothing to be said
    assert cache.get("native", "a") is None


def test_a_file_under_another_name_is_none(folder: pathlib.Path) -> None:
    cache.put("native", "a", DATA)
    first = only_file(folder)
    cache.put("native", "b", b"other")
    (second,) = set(folder.iterdir()) - {first}
    second.unlink()
    first.rename(second)
    assert cache.get("native", "b") is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
class TestForeign:
    def test_a_foreign_file(self, folder: pathlib.Path) -> None:
        cache.put("native", "a", DATA)
        os.chown(only_file(folder), 12345, 12345)
        assert cache.get("native", "a") is None

    def test_a_foreign_folder(self, folder: pathlib.Path) -> None:
        cache.put("native", "a", DATA)
        os.chown(folder, 12345, 12345)
        assert cache.get("native", "a") is None
        cache.put("native", "b", DATA)
        assert len(list(folder.iterdir())) == 1

    def test_a_foreign_home(self, folder: pathlib.Path) -> None:
        os.chown(folder.parent, 12345, 12345)
        cache.put("native", "a", DATA)
        assert not folder.exists()

    def test_a_folder_in_a_world_writable_one(self, folder: pathlib.Path) -> None:
        folder.parent.chmod(0o1777)
        folder.mkdir(mode=0o700)
        os.chown(folder, 12345, 12345)
        assert cache.get("native", "a") is None


def test_a_link_to_a_folder_is_refused(folder: pathlib.Path) -> None:
    elsewhere = folder.parent / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    folder.symlink_to(elsewhere)
    cache.put("native", "a", DATA)
    assert list(elsewhere.iterdir()) == []


def test_relative_and_missing_homes(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("XGPU_NO_CACHE", raising=False)
    monkeypatch.setattr(cache, "_home", lambda: None)
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    assert cache.folder() is None
    cache.put("native", "a", DATA)
    assert cache.get("native", "a") is None
    monkeypatch.delenv("XDG_CACHE_HOME")
    cache.put("native", "a", DATA)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("home", "wanted"), [("/a/b", "/a/b/.cache/xgpu"), ("a/b", None)])
def test_home(monkeypatch: pytest.MonkeyPatch, home: str, wanted: str | None) -> None:
    monkeypatch.delenv("XGPU_NO_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", home)
    assert cache.folder() == wanted


def test_nobody_has_a_home(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pwd

    def unknown(_: int) -> None:
        raise KeyError("uid not found")

    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("XGPU_NO_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    assert cache.folder() is None
    cache.put("native", "a", DATA)
    assert list(tmp_path.iterdir()) == []


def test_nowhere_to_write(folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.parent.joinpath("file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder.parent / "file"))
    cache.put("native", "a", DATA)
    assert cache.get("native", "a") is None


def test_a_long_text_stands_in_a_key_by_its_checksum() -> None:
    """Also one with what no file has: a lone surrogate."""
    text = "x" * 1_000_000
    texts = (text, text + "y", "y" + text, text + "\ud800", "x")
    keys = {cache.NATIVE.key(machine="m", sources=each, part="p") for each in texts}
    assert len(keys) == len(texts)
    assert max(map(len, keys)) < 1_000


def test_it_can_be_switched_off(folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.put("native", "a", DATA)
    monkeypatch.setenv("XGPU_NO_CACHE", "1")
    assert cache.get("native", "a") is None


def test_what_is_oldest_makes_room(folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_BYTES", 10_000)
    monkeypatch.setattr(cache, "MOST_BYTES_OF_ONE", 4_000)
    monkeypatch.setattr(cache, "LOOK_BYTES", 1)
    keys = "abcdef"
    for age, key in enumerate(keys):
        cache.put("native", key, bytes(2_000))
        for path in folder.iterdir():
            status = path.stat()
            os.utime(path, (status.st_atime, status.st_mtime - 100 * (len(keys) - age)))
    found = [key for key in keys if cache.get("native", key) is not None]
    assert found
    assert found == list(keys)[-len(found) :]
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 10_000
    cache.put("native", "too large", bytes(5_000))
    assert cache.get("native", "too large") is None


def test_few_of_many_small_files_look_at_all(
    folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit holds, though hardly one in a hundred looks."""
    numbers = random.Random(7)
    looks: list[int] = []
    original = cache.make_room
    monkeypatch.setattr(cache, "MOST_BYTES", 64_000)
    monkeypatch.setattr(cache, "LOOK_BYTES", 1_000)
    monkeypatch.setattr(cache.os, "urandom", numbers.randbytes)
    monkeypatch.setattr(cache, "make_room", lambda d, most: (looks.append(d), original(d, most)))
    for n in range(1500):
        cache.put("native", str(n), b"")
        if n % 50 == 0:
            assert sum(path.stat().st_size for path in folder.iterdir()) <= 64_000
    assert 30 < len(looks) < 200
    looks.clear()
    cache.put("native", "large", bytes(1_000))
    assert len(looks) == 1


def test_what_writers_left_is_removed(
    folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "LOOK_BYTES", 1)
    cache.put("native", "a", DATA)
    left = folder / "new-1-0"
    left.write_bytes(b"half")
    os.utime(left, (0, 0))
    cache.put("native", "b", DATA)
    assert not left.exists()
    assert cache.get("native", "a") == DATA


_WRITER = """
import sys
from xgpu.core.support import cache
me = sys.argv[1]
for n in range(60):
    for key in "abc":
        data = key.encode() * (1000 + int(me))
        cache.put("native", key, data)
        found = cache.get("native", key)
        assert found is None or (len(found) >= 1000 and set(found) == {ord(key)}), found
"""


def test_eight_writers_at_once(folder: pathlib.Path) -> None:
    writers = [
        processes.start([sys.executable, "-c", _WRITER, str(n)], stderr=subprocess.PIPE)
        for n in range(8)
    ]
    for writer in writers:
        _, problem = writer.communicate(timeout=processes.TIMEOUT)
        assert writer.returncode == 0, problem.decode()
    assert all(cache.get("native", key) is not None for key in "abc")
    assert len(list(folder.iterdir())) == 3
