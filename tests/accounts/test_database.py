from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import apsw
import pytest

from palaver.accounts import Accounts
from palaver.accounts.database import VERSION
from palaver.errors import HomeUnusable, StorageFailed

WORKER = """
import sys
from pathlib import Path
from palaver.accounts import Accounts
from palaver.accounts.database import VERSION
accounts = Accounts.in_file(Path(sys.argv[1]))
for number in range(5):
    made = accounts.create_token("local", name=f"{sys.argv[2]} {number}")
    print(made.token.id)
    if number % 2:
        accounts.revoke_token("local", made.token.id)
accounts.close()
"""


def test_only_the_owner_can_read_any_file_of_it(in_file: Accounts, path: Path):
    in_file.create_token("local")
    found = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
    assert found["accounts.db"] == 0o600
    assert set(found.values()) == {0o600}


def test_no_secret_is_on_disk(in_file: Accounts, path: Path):
    secrets = [in_file.create_token("local").secret, in_file.sign_in("local")]
    secrets.append(in_file.create_link("local"))
    in_file.add_user("ann", "correct horse")
    secrets.append("correct horse")
    on_disk = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert [secret for secret in secrets if secret.encode() in on_disk] == []


def test_several_processes_make_and_end_tokens_at_once(path: Path):
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, str(path), name], stdout=subprocess.PIPE, text=True
        )
        for name in "abcd"
    ]
    made = [line for worker in workers for line in worker.communicate()[0].split()]
    assert [worker.returncode for worker in workers] == [0] * 4
    accounts = Accounts.in_file(path)
    kept = accounts.tokens("local")
    accounts.close()
    assert sorted(token.id for token in kept) == sorted(made)
    assert len(kept) == 20
    assert sum(token.revoked is not None for token in kept) == 8


def test_a_newer_file_is_left_alone(path: Path):
    Accounts.in_file(path).close()
    made = path.read_bytes()
    before = made[:60] + (VERSION + 1).to_bytes(4) + made[64:]  # the header's user_version
    path.write_bytes(before)
    with pytest.raises(HomeUnusable, match="newer Palaver"):
        Accounts.in_file(path)
    assert path.read_bytes() == before


def test_an_older_file_is_brought_up_to_date(path: Path):
    accounts = Accounts.in_file(path)
    secret = accounts.sign_in("local")
    accounts.close()
    older: Any = apsw.Connection(str(path))
    older.execute("DROP TABLE links; DROP TABLE users; PRAGMA user_version = 1")
    older.close()
    accounts = Accounts.in_file(path)
    assert accounts.add_user("ann").name == "ann"
    assert accounts.browser_holder(secret) is not None
    assert accounts.sign_in_by_link(accounts.create_link("local")) is not None
    accounts.close()


def test_a_damaged_file_is_named(path: Path):
    path.write_bytes(b"not a database, but long enough to be looked at" * 100)
    with pytest.raises(HomeUnusable, match="is damaged") as refused:
        Accounts.in_file(path)
    assert str(path) in refused.value.message


def test_a_place_that_cannot_be_used_is_named(tmp_path: Path):
    with pytest.raises(HomeUnusable, match="no such file"):
        Accounts.in_file(tmp_path / "nowhere" / "accounts.db")
    (tmp_path / "folder").mkdir()
    with pytest.raises(HomeUnusable, match="is a directory"):
        Accounts.in_file(tmp_path / "folder")


def test_a_token_opens_while_another_process_holds_the_file(in_file: Accounts, path: Path):
    made = in_file.create_token("local")
    other: Any = apsw.Connection(str(path))
    other.execute("BEGIN IMMEDIATE")
    assert in_file.token_holder(made.secret) is not None
    assert in_file.tokens("local")[0].last_used is None
    other.execute("ROLLBACK")
    in_file.token_holder(made.secret)
    assert in_file.tokens("local")[0].last_used is not None
    other.close()


def test_a_failure_later_does_not_tell_where_the_home_is(in_file: Accounts, path: Path):
    other: Any = apsw.Connection(str(path))
    other.execute("DROP TABLE tokens")
    other.close()
    with pytest.raises(StorageFailed) as refused:
        in_file.tokens("local")
    assert refused.value.message == "accounts.db did not answer."


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_without_write_permission_is_named(path: Path):
    Accounts.in_file(path).close()
    path.chmod(0o400)
    with pytest.raises(HomeUnusable):
        Accounts.in_file(path)
