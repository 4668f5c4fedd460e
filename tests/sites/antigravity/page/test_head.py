"""Projects of the stand-alone program are shown as a path or by a name."""

import pytest

from tabwire.sites.antigravity.page.head import is_folder, project_name

SHOWN = [
    # what is shown, whether that is a folder, what it is called
    ("/srv/me/shop", True, "shop"),
    ("/srv/me/shop/", True, "shop"),
    (r"C:\Work\shop", True, "shop"),
    ("c:/Work/shop", True, "shop"),
    (r"\\server\work\shop", True, "shop"),
    ("shop", False, "shop"),
    ("My Shop", False, "My Shop"),
    ("shop/api", False, "shop/api"),
    ("~/shop", False, "~/shop"),
    ("C: the language", False, "C: the language"),
    ("/srv/…/shop", False, "/srv/…/shop"),
    (r"C:\Work\...\shop", False, r"C:\Work\...\shop"),
    ("", False, ""),
]


@pytest.mark.parametrize("project, folder, name", SHOWN)
def test_a_whole_path_is_a_folder_and_a_name_is_a_name(project, folder, name):
    assert is_folder(project) is folder
    assert project_name(project) == name
