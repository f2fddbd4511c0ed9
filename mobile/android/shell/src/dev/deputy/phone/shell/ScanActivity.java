package dev.deputy.phone.shell;

import android.Manifest;
import android.app.Activity;
import android.content.Intent;
import android.content.pm.PackageManager;
import android.graphics.SurfaceTexture;
import android.hardware.Camera;
import android.os.Bundle;
import android.view.Gravity;
import android.view.TextureView;
import android.view.ViewGroup.LayoutParams;
import android.widget.FrameLayout;
import android.widget.TextView;
import dev.deputy.phone.Pairing;
import dev.deputy.phone.QrCode;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Scans a pairing code with the camera. The original camera API is sufficient for that, and available since
 * Android 8. Pictures are analyzed and dropped, never stored.
 */
@SuppressWarnings("deprecation")
public final class ScanActivity extends Activity implements TextureView.SurfaceTextureListener, Camera.PreviewCallback {
    static final String TEXT = "text";
    private static final int MOST_PIXELS = 1280 * 960;

    private final ExecutorService looking = Executors.newSingleThreadExecutor();
    private TextureView view;
    private TextView words;
    private Camera camera;
    private Camera.Size size;

    @Override
    protected void onCreate(Bundle saved) {
        super.onCreate(saved);
        view = new TextureView(this);
        view.setContentDescription(getString(R.string.scan_hint));
        words = new TextView(this);
        words.setText(R.string.scan_hint);
        words.setTextAppearance(android.R.style.TextAppearance_DeviceDefault_Medium);
        words.setTextColor(0xFFFFFFFF);
        words.setBackgroundColor(0xCC000000);
        words.setGravity(Gravity.CENTER);
        int space = Math.round(24 * getResources().getDisplayMetrics().density);
        words.setPadding(space, space, space, space);
        words.setAccessibilityLiveRegion(TextView.ACCESSIBILITY_LIVE_REGION_POLITE);
        FrameLayout all = new FrameLayout(this);
        all.setBackgroundColor(0xFF000000);
        all.addView(view);
        all.addView(words, new FrameLayout.LayoutParams(LayoutParams.MATCH_PARENT, LayoutParams.WRAP_CONTENT, Gravity.BOTTOM));
        setContentView(all);
        if (isAllowed()) view.setSurfaceTextureListener(this);
        else requestPermissions(new String[] {Manifest.permission.CAMERA}, 0);
    }

    private boolean isAllowed() {
        return checkSelfPermission(Manifest.permission.CAMERA) == PackageManager.PERMISSION_GRANTED;
    }

    @Override
    public void onRequestPermissionsResult(int request, String[] permissions, int[] results) {
        if (!isAllowed()) words.setText(R.string.scan_not_allowed);
        else if (view.isAvailable()) open(view.getSurfaceTexture());
        else view.setSurfaceTextureListener(this);
    }

    private void open(SurfaceTexture surface) {
        try {
            camera = Camera.open();
            if (camera == null) throw new IOException("There is no camera.");
            Camera.Parameters wanted = camera.getParameters();
            size = bestOf(wanted.getSupportedPreviewSizes());
            wanted.setPreviewSize(size.width, size.height);
            List<String> focus = wanted.getSupportedFocusModes();
            String steady = Camera.Parameters.FOCUS_MODE_CONTINUOUS_PICTURE;
            if (focus != null && focus.contains(steady)) wanted.setFocusMode(steady);
            camera.setParameters(wanted);
            camera.setDisplayOrientation(rotation());
            camera.setPreviewTexture(surface);
            camera.setOneShotPreviewCallback(this);
            camera.startPreview();
        } catch (IOException | RuntimeException error) {
            // Another app may use the camera. The user can type the link instead.
            words.setText(R.string.scan_no_camera);
            close();
        }
    }

    /** Returns the largest size that is fast to analyze. */
    private static Camera.Size bestOf(List<Camera.Size> sizes) {
        Camera.Size best = sizes.get(0);
        for (Camera.Size each : sizes) {
            int pixels = each.width * each.height;
            boolean isBetter = pixels > best.width * best.height || best.width * best.height > MOST_PIXELS;
            if (pixels <= MOST_PIXELS && isBetter) best = each;
        }
        return best;
    }

    private int rotation() {
        Camera.CameraInfo info = new Camera.CameraInfo();
        Camera.getCameraInfo(0, info);
        int turned = getWindowManager().getDefaultDisplay().getRotation() * 90;
        return (info.orientation - turned + 360) % 360;
    }

    @Override
    public void onPreviewFrame(final byte[] picture, Camera from) {
        if (size == null || looking.isShutdown()) return;
        final Camera.Size shape = size;
        looking.execute(new Runnable() {
            @Override
            public void run() {
                final String text = QrCode.read(picture, shape.width, shape.height);
                runOnUiThread(new Runnable() {
                    @Override
                    public void run() {
                        seen(text);
                    }
                });
            }
        });
    }

    private void seen(String text) {
        if (camera == null || isFinishing()) return;
        if (text != null && Pairing.parts(text) != null) {
            setResult(RESULT_OK, new Intent().putExtra(TEXT, text));
            finish();
            return;
        }
        if (text != null) words.setText(R.string.scan_other_code);
        camera.setOneShotPreviewCallback(this);
    }

    private void close() {
        if (camera == null) return;
        camera.setOneShotPreviewCallback(null);
        camera.release();
        camera = null;
        size = null;
    }

    @Override
    protected void onPause() {
        super.onPause();
        close();
    }

    @Override
    protected void onResume() {
        super.onResume();
        if (camera == null && isAllowed() && view.isAvailable()) open(view.getSurfaceTexture());
    }

    @Override
    protected void onDestroy() {
        looking.shutdown();
        super.onDestroy();
    }

    @Override
    public void onSurfaceTextureAvailable(SurfaceTexture surface, int width, int height) {
        if (camera == null) open(surface);
    }

    @Override
    public void onSurfaceTextureSizeChanged(SurfaceTexture surface, int width, int height) {}

    @Override
    public boolean onSurfaceTextureDestroyed(SurfaceTexture surface) {
        close();
        return true;
    }

    @Override
    public void onSurfaceTextureUpdated(SurfaceTexture surface) {}
}
