"""Who may: principals and their scopes, API tokens, browser sign-ins and sign-in links.

Here belongs everything about credentials. It knows nothing of conversations or of HTTP.
"""

from palaver.accounts.principals import DEFAULT_SCOPES, SCOPES, Principal
from palaver.accounts.store import Accounts
from palaver.accounts.tokens import NewToken, Token

__all__ = [
    "DEFAULT_SCOPES",
    "SCOPES",
    "Accounts",
    "NewToken",
    "Principal",
    "Token",
]
