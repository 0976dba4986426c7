// Reports every error of a page to the gateway that served it: exceptions, console.error, what the policy blocked.
(() => {
    const sent = [];
    window.unsentErrors = []; // while the connection was cut
    const report = (text) => {
        const request = fetch("/test-errors", { method: "POST", body: text, keepalive: true });
        sent.push(request.catch(() => window.unsentErrors.push(text)));
    };
    addEventListener(
        "error",
        ({ message, filename, lineno, target }) =>
            report(message ? `${message} (${filename}:${lineno})` : `not loaded: ${target.src ?? target.href}`),
        true,
    );
    addEventListener("unhandledrejection", ({ reason }) => report(`unhandled rejection: ${reason} ${reason?.stack}`));
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sourceFile, lineNumber }) =>
        report(`blocked by the policy: ${violatedDirective} ${blockedURI} (${sourceFile}:${lineNumber})`),
    );
    const { error } = console;
    console.error = (...parts) => {
        report(parts.map(String).join(" "));
        error.apply(console, parts);
    };
    window.allErrorsReported = () => Promise.all(sent).then(() => window.unsentErrors);
})();
