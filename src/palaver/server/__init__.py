"""HTTP and sign-in: the REST API, the problem documents, the doors, and the web page's files.

Here belongs everything that knows of HTTP. What a request asks for is done by the library.
"""

from palaver.server.addresses import Address
from palaver.server.application import create_app
from palaver.server.listening import serve

__all__ = ["Address", "create_app", "serve"]
