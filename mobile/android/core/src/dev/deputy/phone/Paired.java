package dev.deputy.phone;

import java.util.Collections;
import java.util.List;

/** The stored result of pairing: the device, the server's fingerprint, and its addresses. */
public final class Paired {
    public final String device;
    public final String fingerprint;
    /** `HOST:PORT`, in the order in which they are tried. The fingerprint determines which of them is the host. */
    public final List<String> addresses;
    public final DeviceKey key;
    /** The push server's address for this phone. Empty if push was turned off, null if it was never on. */
    final String push;
    /**
     * The host's own name, `HOST:PORT` from its code. Requests use it as the host name, whichever address they
     * connect to.
     */
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
