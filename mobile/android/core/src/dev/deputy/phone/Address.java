package dev.deputy.phone;

/** The address of a host: `HOST:PORT`, with IPv6 addresses in brackets. */
public final class Address {
    private Address() {}

    public static boolean isOne(String text) {
        return text.matches("(\\[[0-9A-Fa-f:.]+(%[\\w.-]+)?\\]|[\\w.-]+):\\d{1,5}") && port(text) > 0 && port(text) < 65_536;
    }

    static String host(String address) {
        String host = address.substring(0, address.lastIndexOf(':'));
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    static int port(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }
}
