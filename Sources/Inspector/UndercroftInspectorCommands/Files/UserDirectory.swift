import UndercroftFileSystem

/// A directory of the user in which applications store files. (XDG Base Directory Specification)
enum UserDirectory: String, CaseIterable {
  case data = "data"
  case configuration = "configuration"
  case state = "state"
  case cache = "cache"

  /// The environment variable that contains the path of the directory.
  var variable: String {
    switch self {
    case .data: "XDG_DATA_HOME"
    case .configuration: "XDG_CONFIG_HOME"
    case .state: "XDG_STATE_HOME"
    case .cache: "XDG_CACHE_HOME"
    }
  }

  /// The path in the home directory of the user if ``variable`` is not set.
  private var fallback: String {
    switch self {
    case .data: ".local/share"
    case .configuration: ".config"
    case .state: ".local/state"
    case .cache: ".cache"
    }
  }

  /// The path of the directory, or `nil` if neither ``variable`` nor `HOME` is an absolute path.
  ///
  /// A relative path in a variable is ignored, as the specification requires.
  var path: String? {
    if let path = EnvironmentVariable.value(of: variable), Folder.isAbsolute(path) { return path }
    guard let home = EnvironmentVariable.value(of: "HOME"), Folder.isAbsolute(home) else {
      return nil
    }
    return home + "/" + fallback
  }

  /// The path of the folder of this tool in the directory.
  var toolFolder: String? { path.map { $0 + "/undercroft" } }
}
