"""What holds for the whole suite."""

import os

from hypothesis import settings

# A slow machine is not a failing test: pytest's own timeout is the limit.
settings.register_profile("palaver", deadline=None, print_blob=True)
settings.load_profile("palaver")

# A developer's own settings must not decide what a test sees.
for name in [name for name in os.environ if name.startswith("PALAVER_")]:
    if not name.startswith("PALAVER_TEST_"):
        del os.environ[name]
