public import UndercroftCore
import UndercroftFileSystem
import UndercroftFiles

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Where an application's data belongs: on Linux as the XDG Base Directory Specification says.
public struct StorageDirectories: Sendable, Equatable {
  /// What must not be lost: the home of the storage.
  public let data: URL
  /// What the user's other machines should not get: the key of the vault.
  public let configuration: URL
  /// The folder of the values that can be made again; no other files may be in it.
  public let cache: URL

  /// Everything below one directory, but for the keys if they have a place of their own.
  public init(home: URL, keys: URL? = nil) {
    data = home
    configuration = keys ?? home.appending(path: "keys")
    cache = home.appending(path: "cache")
  }

  /// The directories of an application, each named after it.
  ///
  /// Other libraries put files into the application's cache directory too, so the cache is the folder "values" in it. A
  /// cache directory that is a store itself, as earlier versions made it, stays in use.
  ///
  /// - Throws: ``StorageError/Code/misuse`` when the name is no single path component, ``StorageError/Code/unavailable`` when there is
  ///   no home directory.
  public init(
    application: String, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(StorageError) {
    guard !application.isEmpty, application.utf8.count <= 100,
      application.utf8.first != UInt8(ascii: "."),
      !application.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f || $0 == UInt8(ascii: "/") })
    else {
      throw StorageError(
        .misuse, "cannot use \(quoted(application)) as an application's name",
        cure:
          "take a name of 1 to 100 bytes without slashes and control characters that does not begin with a dot"
      )
    }
    #if canImport(Darwin)
      let library = URL(filePath: NSHomeDirectory()).appending(path: "Library")
      data = library.appending(path: "Application Support").appending(path: application)
      configuration = library.appending(path: "Preferences").appending(path: application)
      cache = Self.cache(in: library.appending(path: "Caches").appending(path: application))
    #else
      data = try Self.directory("XDG_DATA_HOME", ".local/share", environment)
        .appending(path: application)
      configuration = try Self.directory("XDG_CONFIG_HOME", ".config", environment)
        .appending(path: application)
      cache = Self.cache(
        in: try Self.directory("XDG_CACHE_HOME", ".cache", environment)
          .appending(path: application))
    #endif
  }

  private static func cache(in directory: URL) -> URL {
    StoreOpener.files.recognises(directory) ? directory : directory.appending(path: "values")
  }

  /// A relative path in the environment is to be ignored, says the specification.
  private static func directory(
    _ variable: String, _ fallback: String, _ environment: [String: String]
  ) throws(StorageError) -> URL {
    if let path = environment[variable], Folder.isAbsolute(path) { return URL(filePath: path) }
    guard let home = environment["HOME"], Folder.isAbsolute(home) else {
      throw StorageError(
        .unavailable, "cannot find a place for the data: neither \(variable) nor HOME is set",
        cure: "set one of them, or use Storage(home:) with a directory")
    }
    return URL(filePath: home).appending(path: fallback)
  }
}
