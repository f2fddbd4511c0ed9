package dev.deputy.phone;

import java.io.IOException;

/** The host answered with an error. Programs branch on its code; the words are for people. */
public final class HostRefused extends IOException {
    public final String code;

    public HostRefused(String code, String message) {
        super(message);
        this.code = code;
    }
}
