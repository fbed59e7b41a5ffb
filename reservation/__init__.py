"""A reservation service in which a time can never be sold twice.

    from reservation import Settings, create_app
    application = create_app(Settings.from_environ(os.environ))
"""

from reservation.application import create_app
from reservation.settings import Settings

__all__ = ["Settings", "create_app"]
__version__ = "0.2.0"
