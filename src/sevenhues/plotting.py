"""The optional dependency that plots need."""

from sevenhues.core.errors import BadOption


def require_matplotlib() -> None:
    """Raise BadOption if matplotlib is not installed."""
    try:
        import matplotlib as _  # noqa: F401
    except ImportError:
        raise BadOption("a plot needs matplotlib: pip install 'sevenhues[plot]'") from None
