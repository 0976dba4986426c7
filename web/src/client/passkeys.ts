// Passkeys in the browser: what the server sends for a ceremony, and what the browser's answer is on the wire.
import { api, ApiError } from "./api";
import type { Me, Passkey } from "../wire/types";

const ADDRESS = /^(\d+\.){3}\d+$|^\[/;

/** Whether this browser has passkeys, and this page is one that may use them: by HTTPS and a name, or on localhost. */
export const passkeysWork = (): boolean =>
    isSecureContext && "PublicKeyCredential" in window && !ADDRESS.test(location.hostname);

function encode(data: ArrayBuffer): string {
    const text = String.fromCharCode(...new Uint8Array(data));
    return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function decode(text: string): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
        letter.charCodeAt(0),
    );
}

/** Ask the person through the browser. Giving up and running out of time look alike on purpose. */
async function ceremony<T extends AuthenticatorResponse>(
    ask: () => Promise<Credential | null>,
): Promise<{ id: string; response: T }> {
    try {
        const credential = (await ask()) as PublicKeyCredential | null;
        if (credential) return { id: encode(credential.rawId), response: credential.response as T };
    } catch (error) {
        if (!(error instanceof DOMException)) throw error;
        if (error.name === "InvalidStateError") throw problem("passkey-exists", error.message);
    }
    throw problem("passkey-cancelled", "No passkey was used.");
}

const problem = (key: string, text: string): ApiError =>
    new ApiError({ key, text, parameters: {}, rule: null }, 0);

/** Create a passkey on this device or on another one that the browser offers. */
export async function addPasskey(name: string): Promise<Passkey> {
    const asked = await api.beginPasskey();
    const publicKey: PublicKeyCredentialCreationOptions = {
        challenge: decode(asked.challenge),
        rp: { id: asked.host, name: "Seven Hues" },
        user: { id: decode(asked.user), name: asked.name, displayName: asked.name },
        pubKeyCredParams: asked.algorithms.map((alg) => ({ type: "public-key", alg })),
        excludeCredentials: asked.exclude.map((id) => ({ type: "public-key", id: decode(id) })),
        authenticatorSelection: {
            residentKey: "required",
            requireResidentKey: true,
            userVerification: "required",
        },
        timeout: asked.timeout,
    };
    const { id, response } = await ceremony<AuthenticatorAttestationResponse>(() =>
        navigator.credentials.create({ publicKey }),
    );
    return api.addPasskey({
        id,
        client_data: encode(response.clientDataJSON),
        attestation: encode(response.attestationObject),
        name,
    });
}

/** Sign in with any passkey for this site. */
export async function signIn(leave: boolean): Promise<Me> {
    const asked = await api.beginSignIn(leave);
    const publicKey: PublicKeyCredentialRequestOptions = {
        challenge: decode(asked.challenge),
        rpId: asked.host,
        userVerification: "required",
        timeout: asked.timeout,
    };
    const { id, response } = await ceremony<AuthenticatorAssertionResponse>(() =>
        navigator.credentials.get({ publicKey }),
    );
    return api.signIn({
        id,
        client_data: encode(response.clientDataJSON),
        authenticator_data: encode(response.authenticatorData),
        signature: encode(response.signature),
        user: encode(response.userHandle ?? new ArrayBuffer(0)),
    });
}
