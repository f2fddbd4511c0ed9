package dev.deputy.phone;

import java.util.Collections;
import java.util.List;

/** What pairing leaves behind, and all that the phone keeps of it: who it is, which server, and where that may be reached. */
public final class Paired {
    public final String device;
    public final String fingerprint;
    /** `HOST:PORT`, tried in this order; the fingerprint decides which of them is the host. */
    public final List<String> addresses;
    public final DeviceKey key;
    /** Where a push server takes notices for this phone; empty where it was turned off, nothing where it was never on. */
    final String push;
    /** What the host calls itself, `HOST:PORT` out of its code: requests name it so, whichever way they take to it. */
    final String host;

    public Paired(String device, String fingerprint, String host, List<String> addresses, DeviceKey key, String push) {
        this.device = device;
        this.fingerprint = fingerprint;
        this.addresses = Collections.unmodifiableList(addresses);
        this.key = key;
        this.host = host;
        this.push = push;
    }
}
