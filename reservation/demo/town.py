"""The town that `reservation demo` makes: invented businesses and people, as data alone.

Telephone numbers are of the ranges that the ARCEP keeps for fiction, e-mails at example.fr.
"""

from reservation.demo import care, trades
from reservation.demo.people import ADMIN, COMMENTS, CUSTOMERS
from reservation.demo.shapes import Dated, Hours, Person, Shop

SHOPS = (*care.SHOPS, *trades.SHOPS)  # the first is the one whose owner's password is printed

__all__ = ["ADMIN", "COMMENTS", "CUSTOMERS", "SHOPS", "Dated", "Hours", "Person", "Shop"]
