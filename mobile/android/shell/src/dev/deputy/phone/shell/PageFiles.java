package dev.deputy.phone.shell;

import android.content.res.AssetManager;
import android.net.Uri;
import android.webkit.WebResourceRequest;
import android.webkit.WebResourceResponse;
import android.webkit.WebView;
import android.webkit.WebViewClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Serves the app's pages to the view, and nothing else. No request from the pages ever leaves the phone. */
final class PageFiles extends WebViewClient {
    /** A name that does not exist on any network. */
    static final String ORIGIN = "https://phone.deputy.invalid";
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
            + "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    private static final Map<String, String> TYPES = new HashMap<String, String>();

    static {
        TYPES.put("html", "text/html");
        TYPES.put("js", "text/javascript");
        TYPES.put("css", "text/css");
        TYPES.put("svg", "image/svg+xml");
        TYPES.put("woff2", "font/woff2");
        TYPES.put("json", "application/json");
    }

    private final AssetManager assets;

    PageFiles(AssetManager assets) {
        this.assets = assets;
    }

    @Override
    public WebResourceResponse shouldInterceptRequest(WebView view, WebResourceRequest request) {
        Uri address = request.getUrl();
        if (!address.toString().startsWith(ORIGIN + "/m/")) return nothing();
        String name = address.getPath().substring("/m/".length());
        if (name.isEmpty()) name = "index.html";
        String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        if (type == null || name.contains("..")) return nothing();
        Map<String, String> headers = new HashMap<String, String>();
        headers.put("Content-Security-Policy", POLICY);
        headers.put("X-Content-Type-Options", "nosniff");
        try {
            return new WebResourceResponse(type, "utf-8", 200, "OK", headers, assets.open("m/" + name));
        } catch (IOException missing) {
            return nothing();
        }
    }

    /** Blocks navigation: links to other places do nothing. */
    @Override
    public boolean shouldOverrideUrlLoading(WebView view, String address) {
        return !address.startsWith(ORIGIN + "/m/");
    }

    private static WebResourceResponse nothing() {
        Map<String, String> none = new HashMap<String, String>();
        return new WebResourceResponse("text/plain", "utf-8", 404, "Not Found", none, new ByteArrayInputStream(new byte[0]));
    }
}
