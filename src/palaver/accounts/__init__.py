"""Who may: users and their passwords, principals and their scopes, tokens, sign-ins and links.

Here belongs everything about credentials. It knows nothing of conversations or of HTTP.
"""

from palaver.accounts.principals import DEFAULT_SCOPES, SCOPES, Principal
from palaver.accounts.store import Accounts
from palaver.accounts.tokens import NewToken, Token
from palaver.accounts.users import User

__all__ = [
    "DEFAULT_SCOPES",
    "SCOPES",
    "Accounts",
    "NewToken",
    "Principal",
    "Token",
    "User",
]
