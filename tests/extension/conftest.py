"""What tests of the extension may ask for."""

from extension.page_lab import page_browser_url, served, site, tabs

__all__ = ["page_browser_url", "served", "site", "tabs"]
