"""Every error Palaver raises: a stable code, one sentence, and what to do about it.

PalaverError
├── InputError               what came in cannot be taken
│   ├── BadText              bad_text           422
│   ├── EmptyMessage         empty_message      422
│   ├── BadValue             bad_value          422
│   ├── SecretRefused        secret_refused     422
│   ├── TooLarge             too_large          413
│   ├── BadJson              bad_json           400
│   ├── BadId                bad_id             400
│   ├── BadCursor            bad_cursor         400
│   ├── BadMethod            bad_method         405
│   └── BadSetting           bad_setting        (start only)
├── NotFound                 not_found          404
├── TooFarBehind             too_far_behind     410
├── Conflict
│   ├── KeyReused            key_reused         409
│   ├── ReadOnly             read_only          409
│   ├── AlreadyExists        already_exists     409
│   ├── NotEmpty             not_empty          409
│   ├── Outdated             outdated           412
│   └── Erased               erased             410
├── AccessError
│   ├── SignInRequired       sign_in_required   401
│   ├── Forbidden            forbidden          403
│   └── BadHost              bad_host           421
├── LimitReached             limit_reached      429
├── Stopping                 stopping           503
├── StorageError
│   ├── StorageFailed        storage_failed     503
│   ├── StorageFull          storage_full       507
│   ├── StorageBusy          storage_busy       503
│   ├── StorageUncertain     storage_uncertain  503
│   ├── StorageUnreachable   storage_unreachable 503
│   ├── StreamDamaged        stream_damaged     409
│   ├── CopyUnfinished       copy_unfinished    503
│   ├── HomeUnusable         home_unusable      (start only)
│   ├── DatabaseUnusable     database_unusable  (start only)
│   └── DatabaseTooNew       database_too_new   (start only)
├── IndexUnavailable
│   ├── IndexRebuilding      index_rebuilding   503
│   ├── IndexDegraded        index_degraded     503
│   ├── IndexTooNew          index_too_new      (start only)
│   ├── ModelMissing         model_missing      (shown by health and `palaver model`)
│   └── ModelDamaged         model_damaged      (shown by health and `palaver model`)
├── ModelError               model_failed       502
│   ├── ModelUnknown         model_unknown      422
│   ├── ModelNotConnected    model_not_connected 409
│   ├── ModelKeyRefused      model_key_refused  502
│   ├── ModelBusy            model_busy         503
│   ├── ModelTimeout         model_timeout      504
│   ├── ModelUnreachable     model_unreachable  502
│   ├── ModelMalformed       model_malformed    502
│   ├── ModelDeclined        model_declined     502
│   ├── ModelOverfull        model_overfull     502
│   ├── DigestUnusable       digest_unusable    (shown by jobs)
│   └── ModelResting         model_resting      (shown by jobs)
├── ChannelError             channel_failed     502
│   ├── ChannelUnreachable   channel_unreachable 502
│   ├── ChannelUncertain     channel_uncertain  502
│   ├── ChannelRefused       channel_refused    502
│   └── WebhookRefused       webhook_refused    403
├── PageMissing              page_missing       503
└── AddressUnavailable       address_unavailable (start only)

The docstring of a class is its default message; `remedy` is what the reader can do.
"""

from __future__ import annotations

from typing import ClassVar


class PalaverError(Exception):
    """Something went wrong inside Palaver."""

    code: ClassVar[str] = "internal_error"
    status: ClassVar[int] = 500
    exit_status: ClassVar[int] = 3
    retriable: ClassVar[bool] = False
    """Whether the very same request may succeed a little later."""
    remedy: str = "Run `palaver doctor`; if it finds nothing, report this as a bug."

    def __init__(self, message: str | None = None, *, remedy: str | None = None) -> None:
        super().__init__(message or (type(self).__doc__ or "").partition("\n")[0])
        if remedy is not None:
            self.remedy = remedy

    @property
    def message(self) -> str:
        return str(self.args[0])


class InputError(PalaverError):
    """What came in cannot be taken."""

    code = "bad_input"
    status = 422
    exit_status = 2
    remedy = "Correct the input and try again."


class BadText(InputError):
    """The text is not valid: it holds a NUL character or a lone surrogate."""

    code = "bad_text"
    remedy = "Send valid Unicode text without NUL characters."


class EmptyMessage(InputError):
    """The message is empty."""

    code = "empty_message"
    remedy = "Write at least one visible character."


class BadValue(InputError):
    """A value has the wrong type or is out of range."""

    code = "bad_value"


class SecretRefused(InputError):
    """Passwords, keys and card numbers are never remembered."""

    code = "secret_refused"
    remedy = "Keep it in a password manager, and remember where it is."


class TooLarge(InputError):
    """It is larger than can be stored."""

    code = "too_large"
    status = 413
    remedy = "Split it into messages of at most 1 MiB of UTF-8."


class BadJson(InputError):
    """The body is not strict JSON in UTF-8."""

    code = "bad_json"
    status = 400
    remedy = "Send one JSON object in UTF-8, without duplicate keys, NaN or Infinity."


class BadId(InputError):
    """That is not an id of Palaver."""

    code = "bad_id"
    status = 400
    remedy = "Use an id as Palaver returned it: conv-, msg-, day- or mem- and 26 characters."


class BadCursor(InputError):
    """The cursor is not one that Palaver returned."""

    code = "bad_cursor"
    status = 400
    remedy = "Start again without a cursor, and pass `nextCursor` on unchanged."


class BadMethod(InputError):
    """This address does not take that method."""

    code = "bad_method"
    status = 405
    remedy = "Use one of the methods in the `Allow` header; `/docs` lists every address."


class BadSetting(InputError):
    """A setting is unknown or has a bad value."""

    code = "bad_setting"
    status = 500
    remedy = "Correct the setting in the environment or in config.yaml."


class NotFound(PalaverError):
    """There is nothing with that id."""

    code = "not_found"
    status = 404
    remedy = "List what there is with `palaver conversations list`."


class TooFarBehind(PalaverError):
    """Too much has happened since that position to tell it step by step."""

    code = "too_far_behind"
    status = 410
    remedy = "Load what there is now, and go on from the position that comes with it."


class Conflict(PalaverError):
    """The request does not fit what is stored."""

    code = "conflict"
    status = 409


class KeyReused(Conflict):
    """That key was used before with another message."""

    code = "key_reused"
    remedy = "Use a new key for a new message; repeat a key only to repeat the same message."


class ReadOnly(Conflict):
    """This conversation is read-only here."""

    code = "read_only"
    remedy = "Write on the channel it belongs to, or start a new conversation."


class AlreadyExists(Conflict):
    """Something with that id is there already."""

    code = "already_exists"
    remedy = "Let Palaver choose the id."


class NotEmpty(Conflict):
    """The place to copy to holds something else already, so nothing was copied."""

    code = "not_empty"
    remedy = "Copy to a new folder, or to a database in which this user has said nothing yet."


class Outdated(Conflict):
    """It was changed by somebody else meanwhile."""

    code = "outdated"
    status = 412
    remedy = "Load it again, and decide again."


class Erased(Conflict):
    """A message with that key was stored before and has since been erased."""

    code = "erased"
    status = 410
    remedy = "Use a new key if you want to say it again."


class AccessError(PalaverError):
    """Access was refused."""

    code = "access"
    status = 403


class SignInRequired(AccessError):
    """You are not signed in."""

    code = "sign_in_required"
    status = 401
    remedy = (
        "Open the link that `palaver serve` printed, or send a token as `Authorization: Bearer …`."
    )


class Forbidden(AccessError):
    """The credentials do not allow this."""

    code = "forbidden"
    remedy = "Create a token with the scope this needs: `palaver tokens create --scope …`."


class BadHost(AccessError):
    """The request names a host that this server does not answer for."""

    code = "bad_host"
    status = 421
    remedy = (
        "Use the address that `palaver serve` printed, or the IP address of the machine; "
        "`server.publicUrl` names another one."
    )


class LimitReached(PalaverError):
    """This is more than one user may do at a time."""

    code = "limit_reached"
    status = 429
    retriable = True
    remedy = "Wait a little, and do it more slowly; `server.limits` says how fast is fast enough."

    def __init__(
        self, message: str | None = None, *, retry_after: float = 1.0, remedy: str | None = None
    ) -> None:
        """`retry_after` is how many seconds to wait."""
        super().__init__(message, remedy=remedy)
        self.retry_after = retry_after


class Stopping(PalaverError):
    """Palaver is being stopped."""

    code = "stopping"
    status = 503
    retriable = True
    remedy = "Try again when it has been started."


class StorageError(PalaverError):
    """The storage did not do what was asked."""

    code = "storage"
    status = 503


class StorageFailed(StorageError):
    """The message could not be stored safely, so it was not taken."""

    code = "storage_failed"
    retriable = True
    remedy = "Check the disk, then send it again with the same key."


class StorageFull(StorageFailed):
    """The disk is full, so the message was not taken."""

    code = "storage_full"
    status = 507
    remedy = "Free some space, then send it again with the same key."


class StorageBusy(StorageFailed):
    """Others keep the database busy, so it did not answer in time."""

    code = "storage_busy"
    remedy = "Try again in a moment; send a message again with the same key."


class StorageUnreachable(StorageFailed):
    """The database cannot be reached now."""

    code = "storage_unreachable"
    remedy = "Try again when the database is back; send a message again with the same key."


class StorageUncertain(StorageFailed):
    """The database was cut off in the middle of a commit: it may or may not have been stored."""

    code = "storage_uncertain"
    remedy = "Send it again with the same key: then it is stored once, whatever happened."


class StreamDamaged(StorageError):
    """This conversation has lost lines on disk and takes no new ones; what is known is kept."""

    code = "stream_damaged"
    status = 409
    remedy = "Restore the file that `palaver verify` names, or go on in a new conversation."


class CopyUnfinished(StorageError):
    """A copy to this place was begun and is not finished, so it cannot be used yet."""

    code = "copy_unfinished"
    remedy = "Run the same `palaver copy` again: it goes on where it stopped."


class HomeUnusable(StorageError):
    """The home folder cannot be used."""

    code = "home_unusable"
    remedy = "Mend what it names, or choose another folder with --home or PALAVER_HOME."


class DatabaseUnusable(StorageError):
    """The database cannot be used."""

    code = "database_unusable"
    remedy = "Check PALAVER_DATABASE_URL, and that the server runs and lets Palaver in."


class DatabaseTooNew(StorageError):
    """The database was set up by a newer Palaver."""

    code = "database_too_new"
    remedy = "Upgrade Palaver on this machine; the database is left as it is."


class IndexUnavailable(PalaverError):
    """The index cannot answer now."""

    code = "index"
    status = 503


class IndexRebuilding(IndexUnavailable):
    """The index is being built, so a search would not see everything yet."""

    code = "index_rebuilding"
    remedy = "Try again in a moment; messages are taken all the while."


class IndexDegraded(IndexUnavailable):
    """The index is damaged or cannot be written, so it cannot be trusted to answer."""

    code = "index_degraded"
    remedy = "Run `palaver doctor`; `palaver rebuild` makes the index again from the ledger."


class IndexTooNew(IndexUnavailable):
    """The index was made by a newer Palaver."""

    code = "index_too_new"
    remedy = "Upgrade Palaver, or delete conversations.db: it is made again from the ledger."


class ModelMissing(IndexUnavailable):
    """The embedding model is not installed, so nothing can be found by its meaning."""

    code = "model_missing"
    remedy = "Run `palaver model install`; until then search goes by words alone."


class ModelDamaged(IndexUnavailable):
    """The files of the embedding model are damaged, so nothing can be found by its meaning."""

    code = "model_damaged"
    remedy = "Run `palaver model install` to replace them; until then search goes by words alone."


class ModelError(PalaverError):
    """The model could not answer."""

    code = "model_failed"
    status = 502
    remedy = "Try again. If it stays so, look at what the model's provider says about it."


class ModelUnknown(ModelError):
    """There is no model of that name."""

    code = "model_unknown"
    status = 422
    exit_status = 2
    remedy = "`/model` tells which there are; `agent.models` names more."


class ModelNotConnected(ModelError):
    """The model is not connected."""

    code = "model_not_connected"
    status = 409
    remedy = "Set the key or the address of its provider (`agent.providers`)."


class ModelKeyRefused(ModelError):
    """The model's provider does not accept the key."""

    code = "model_key_refused"
    remedy = "Check the provider's `apiKey` in the settings."


class ModelBusy(ModelError):
    """The model's provider has too much to do, or wants fewer requests."""

    code = "model_busy"
    status = 503
    retriable = True
    remedy = "Wait a little and try again."


class ModelTimeout(ModelError):
    """The model did not answer in time."""

    code = "model_timeout"
    status = 504
    retriable = True
    remedy = "Try again."


class ModelUnreachable(ModelError):
    """The connection to the model could not be made, or broke."""

    code = "model_unreachable"
    retriable = True
    remedy = "Check the network and the provider's `baseUrl`, and try again."


class ModelMalformed(ModelError):
    """The model's provider sent something that cannot be read."""

    code = "model_malformed"
    remedy = "Try again. If it stays so, check that `baseUrl` speaks the provider's protocol."


class ModelDeclined(ModelError):
    """The model declined to answer."""

    code = "model_declined"
    remedy = "Put it in other words, or choose another model."


class ModelOverfull(ModelError):
    """The model was given more than it takes."""

    code = "model_overfull"
    remedy = "Lower `conversations.maxContextTokens`, or choose a model with a larger window."


class DigestUnusable(ModelError):
    """What the model made of a conversation does not hold."""

    code = "digest_unusable"
    remedy = "It is tried again later; until then the conversation is told without a model."


class ModelResting(ModelError):
    """The model has failed several times and is left alone for a while."""

    code = "model_resting"
    retriable = True
    remedy = "It is asked again by itself. `palaver jobs list` tells why it failed."


class ChannelError(PalaverError):
    """The provider of a channel did not do what it was asked."""

    code = "channel_failed"
    status = 502
    remedy = "Test the channel in the settings; its state says what is wrong."


class ChannelUnreachable(ChannelError):
    """The provider of the channel cannot be reached now; nothing was sent."""

    code = "channel_unreachable"
    retriable = True
    remedy = "It is tried again by itself."


class ChannelUncertain(ChannelError):
    """Nobody knows whether the message was sent: the provider did not say."""

    code = "channel_uncertain"
    remedy = "Look whether it has arrived; send it again if it has not."


class ChannelRefused(ChannelError):
    """The provider of the channel refuses it."""

    code = "channel_refused"
    remedy = "Correct what it complains about, and try again."


class WebhookRefused(ChannelError):
    """The call does not come from the provider of the channel."""

    code = "webhook_refused"
    status = 403
    remedy = "Set the secret of the channel as the provider shows it."


class PageMissing(PalaverError):
    """The page has not been built."""

    code = "page_missing"
    status = 503
    remedy = "Run `make page` in the repository, or install Palaver from a wheel, which has it."


class AddressUnavailable(PalaverError):
    """The address cannot be listened on."""

    code = "address_unavailable"
    remedy = "Choose another port with --port or PALAVER_PORT."
