"""The descriptions of columns that PyMySQL reads before the rows of each result."""

from functools import cache

import pymysql.connections


def share() -> None:
    """Makes PyMySQL parse each description once in this process.

    Parsing them again for each result would take a tenth of the CPU time of the tests.
    """
    pymysql.connections.FieldDescriptorPacket = cache(pymysql.connections.FieldDescriptorPacket)
