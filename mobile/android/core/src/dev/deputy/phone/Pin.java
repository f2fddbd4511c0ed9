package dev.deputy.phone;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Trusts exactly one server: the one whose public key has the fingerprint from pairing. Names and dates do not
 * matter.
 */
public final class Pin implements X509TrustManager {
    private final String fingerprint;

    public Pin(String fingerprint) {
        this.fingerprint = fingerprint;
    }

    /** Returns a factory for sockets that connect only to this server. */
    public SSLSocketFactory sockets() throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {this}, null);
        return context.getSocketFactory();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String how) throws CertificateException {
        if (chain == null || chain.length == 0 || !isOf(chain[0])) {
            throw new CertificateException("This is another server than the one that this phone was paired with.");
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String how) throws CertificateException {
        throw new CertificateException("This phone serves nobody.");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }

    private boolean isOf(X509Certificate certificate) throws CertificateException {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate.getPublicKey().getEncoded());
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest).equals(fingerprint);
        } catch (GeneralSecurityException error) {
            throw new CertificateException(error);
        }
    }
}
