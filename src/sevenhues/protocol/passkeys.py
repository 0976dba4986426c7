"""Passkeys and recovery codes on the wire. Bytes are URL-safe Base64 without padding, as in WebAuthn."""

from typing import Annotated

import msgspec

from sevenhues.protocol.tables import Name

CredentialId = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{1,1364}$(?!\n)", description="A passkey's id.")]
Bytes = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{1,16384}$(?!\n)", description="Bytes in Base64.")]


class Passkey(msgspec.Struct):
    """A passkey of the caller."""

    id: str
    name: str
    created: int
    used: int | None  # when it was last used to sign in


class PasskeyList(msgspec.Struct):
    """The caller's passkeys, the oldest first, and the time at which their recovery code was made."""

    passkeys: list[Passkey]
    recovery_code: int | None


class PasskeyCreation(msgspec.Struct):
    """What a browser needs to create a passkey: see `PublicKeyCredentialCreationOptions`."""

    challenge: str
    host: str  # to which the passkey will belong
    user: str  # bytes that the passkey will store
    name: str
    algorithms: list[int]
    exclude: list[str]  # the caller's passkeys
    timeout: int


class AddPasskey(msgspec.Struct, forbid_unknown_fields=True):
    """A new passkey, as the browser returned it."""

    id: CredentialId
    client_data: Bytes
    attestation: Bytes
    name: Name


class SignIn(msgspec.Struct, forbid_unknown_fields=True):
    """Begin to sign in with a passkey.

    A guest who has played or chosen a name, and has no passkey and no recovery code, could not return: without
    `leave` their sign-in is refused (`leaves-games`).
    """

    leave: bool = False


class PasskeyRequest(msgspec.Struct):
    """What a browser needs to use a passkey: see `PublicKeyCredentialRequestOptions`."""

    challenge: str
    host: str
    timeout: int


class PasskeySignIn(msgspec.Struct, forbid_unknown_fields=True):
    """What a passkey signed, as the browser returned it."""

    id: CredentialId
    client_data: Bytes
    authenticator_data: Bytes
    signature: Bytes
    user: Bytes  # that the passkey stores


class RecoveryCode(msgspec.Struct):
    """A code with which the caller can sign in once; it replaces an older one, and is not shown again."""

    code: str


class Recover(msgspec.Struct, forbid_unknown_fields=True):
    """Sign in with a recovery code; `leave` as in `SignIn`."""

    code: Annotated[str, msgspec.Meta(max_length=64)]
    leave: bool = False
