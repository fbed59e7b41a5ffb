"""A reservation service in which a time can never be sold twice.

    from reservation import Settings, create_app
    application = create_app(Settings.from_environ(os.environ))
"""

TYPE_CHECKING = False  # avoids importing `typing`, which is slow
if TYPE_CHECKING:
    from reservation.application import create_app
    from reservation.settings import Settings

__all__ = ["Settings", "create_app"]
__version__ = "0.3.0"


def __getattr__(name: str) -> object:
    """Imports `create_app` and `Settings` on first use, because their imports are slow."""
    if name == "create_app":
        from reservation.application import create_app

        return create_app
    if name == "Settings":
        from reservation.settings import Settings

        return Settings
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
