package dev.deputy.phone;

import java.io.IOException;

/** An error from the host. Programs use its code; the message is for people. */
public final class HostRefused extends IOException {
    public final String code;

    public HostRefused(String code, String message) {
        super(message);
        this.code = code;
    }
}
