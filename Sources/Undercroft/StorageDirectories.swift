public import UndercroftCore
import UndercroftFileSystem
import UndercroftFiles
public import UndercroftFoundation
import UndercroftInspection

/// The directories for an application's data.
///
/// On Linux, the directories follow the XDG Base Directory Specification.
public struct StorageDirectories: Sendable, Equatable {
  /// The directory of data that must not be lost: the home of the storage.
  public let data: URL
  /// The directory of data that should not be copied to other
  /// machines of the user: the key of the vault.
  public let configuration: URL
  /// The directory of values that can be recreated.
  ///
  /// Only the storage may create files in this directory.
  public let cache: URL

  /// Creates a value whose data directory is `home`, and whose other directories are inside `home`.
  ///
  /// If `keys` is not `nil`, `keys` is the directory of the
  /// vault's key. This initializer creates no directory on disk.
  public init(home: URL, keys: URL? = nil) {
    data = home
    configuration = keys ?? home.appending(path: "keys")
    cache = home.appending(path: "cache")
  }

  /// Determines the directories of an application by the conventions of the platform.
  ///
  /// This initializer creates no directory on disk. The data and configuration directories
  /// have the name of the application. Other libraries also write to the application's cache
  /// directory, so ``cache`` is the folder "values" in that directory. If an earlier version
  /// stored values directly in the cache directory, ``cache`` is the cache directory itself.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the name does not have 1 to 100
  ///   bytes, begins with a dot, or contains a slash or a control character;
  ///   ``StorageError/Code/unavailable`` if there is no home directory.
  public init(
    application: String, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(StorageError) {
    if let reason = Self.defect(ofName: application) {
      throw StorageError(
        .misuse,
        "cannot use \(quoted(application)) as the name of an application: \(reason)",
        suggestion: """
          use a name of 1 to 100 bytes that does not begin with a dot and contains neither slashes \
          nor control characters
          """)
    }
    #if canImport(Darwin)
      let library = URL(filePath: NSHomeDirectory()).appending(path: "Library")
      data = library.appending(path: "Application Support").appending(path: application)
      configuration = library.appending(path: "Preferences").appending(path: application)
      cache = Self.cache(in: library.appending(path: "Caches").appending(path: application))
    #else
      data = try Self.directory(of: application, "XDG_DATA_HOME", ".local/share", environment)
        .appending(path: application)
      configuration = try Self.directory(of: application, "XDG_CONFIG_HOME", ".config", environment)
        .appending(path: application)
      cache = Self.cache(
        in: try Self.directory(of: application, "XDG_CACHE_HOME", ".cache", environment)
          .appending(path: application))
    #endif
  }

  private static func cache(in directory: URL) -> URL {
    StoreInspectorFactory.files.recognises(directory)
      ? directory : directory.appending(path: "values")
  }

  /// Returns the reason why `name` cannot be the name of a
  /// folder of an application, or `nil` for a valid name.
  private static func defect(ofName name: String) -> String? {
    let count = name.utf8.count
    if count == 0 { return "the name is empty" }
    if count > 100 { return "the name has \(count) bytes of UTF-8, and the limit is 100 bytes" }
    if name.utf8.first == UInt8(ascii: ".") { return "the name begins with a dot" }
    let hasControl = name.utf8.contains { $0 < 0x20 || $0 == 0x7f }
    if hasControl { return "the name contains a control character" }
    return name.utf8.contains(UInt8(ascii: "/")) ? "the name contains a slash" : nil
  }

  /// Returns the directory that an environment variable
  /// specifies, or `fallback` in the home directory.
  ///
  /// A variable with a relative path is ignored, as the XDG specification requires.
  private static func directory(
    of application: String, _ variable: String, _ fallback: String,
    _ environment: [String: String]
  ) throws(StorageError) -> URL {
    if let path = environment[variable], Folder.isAbsolute(path) { return URL(filePath: path) }
    guard let home = environment["HOME"], Folder.isAbsolute(home) else {
      throw StorageError(
        .unavailable,
        """
        cannot find a directory for the application \(quoted(application)): neither of the \
        environment variables \(variable) and HOME contains an absolute path
        """,
        suggestion: """
          set the environment variable HOME to an absolute path, or use Storage(home:) with a \
          directory
          """)
    }
    return URL(filePath: home).appending(path: fallback)
  }
}
