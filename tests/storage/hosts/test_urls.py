"""A database URL with several hosts."""

import pytest

from reservation.lib.readers import database_url, each_host, without_password
from reservation.storage.database import connect

LIST = "mysql://user:p%40ss@db1,db2:3307,[::1]:3308/name"


def test_each_host_of_a_url_has_a_url_of_its_own():
    assert each_host(LIST) == [
        "mysql://user:p%40ss@db1/name",
        "mysql://user:p%40ss@db2:3307/name",
        "mysql://user:p%40ss@[::1]:3308/name",
    ]
    for single in ("mysql://u:a,b@host/name?x=1,2", "mysql:///name", "mysql://[::1]:33/n"):
        assert each_host(single) == [single]


def test_several_hosts_are_a_valid_url_whose_password_is_hidden():
    assert database_url(LIST) == LIST
    assert without_password(LIST) == "mysql://user:(hidden)@db1,db2:3307,[::1]:3308/name"
    connect(LIST)


@pytest.mark.parametrize("listed", ["a,,b", "a,", ",a", "a,:3306", "a,b:99999", "a,b:x", "a,[::1"])
def test_a_wrong_host_is_refused_without_the_password(listed):
    with pytest.raises(ValueError) as caught:
        database_url(f"mysql://user:hunter2@{listed}/name")
    assert "hunter2" not in str(caught.value)
