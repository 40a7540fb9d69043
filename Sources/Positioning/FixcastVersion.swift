/// The version of the software, for `--version`, logs and the wire.
public enum FixcastVersion {
    public static let text = "0.1.0"
}
