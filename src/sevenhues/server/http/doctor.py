"""The route by which `sevenhues doctor` asks how a request has reached the server."""

import resource

from litestar import get

from sevenhues import COMPILED, __version__
from sevenhues.server.client_address import address_of
from sevenhues.server.doctor.diagnosis import HEADER, PATH, Diagnosis
from sevenhues.server.http.context import AnyRequest, context_of
from sevenhues.server.table.errors import Refused


@get(PATH, include_in_schema=False, sync_to_thread=False)
def show_diagnosis(request: AnyRequest) -> Diagnosis:
    """Tell how this request has reached the server; for anybody without the signing keys, nothing is here."""
    context = context_of(request)
    if not context.keys.is_question(request.headers.get(HEADER, "")):
        raise Refused("no-page", path=PATH)
    return Diagnosis(
        version=__version__,
        compiled=COMPILED,
        scheme=request.scope["scheme"],
        client=address_of(request.scope),
        host=request.headers.get("host", ""),
        forwarded_for=request.headers.get("x-forwarded-for"),
        forwarded_proto=request.headers.get("x-forwarded-proto"),
        max_open_files=resource.getrlimit(resource.RLIMIT_NOFILE)[0],
        backup_error=context.backups.error if context.backups is not None else None,
    )


ROUTES = (show_diagnosis,)
