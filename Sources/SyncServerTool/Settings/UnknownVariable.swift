#if SyncServer
  import Logging
  import UndercroftCore
  import UndercroftFoundation

  /// Environment variables that begin like those of settings, but state none.
  enum UnknownVariable {
    private static let prefix = "UNDERCROFT_SYNC_"

    /// Logs a warning for each such variable.
    ///
    /// They are no errors, because other programs can have set them: Kubernetes sets
    /// `UNDERCROFT_SYNC_SERVICE_HOST` and others for a service with the name `undercroft-sync`.
    static func warn(_ logger: Logger) {
      let known = Set(SettingName.allCases.map(variable) + [prefix + "CONFIG"])
      let stated = ProcessInfo.processInfo.environment.keys.filter { $0.hasPrefix(prefix) }
      for name in stated.sorted() where !known.contains(name) {
        // The common prefix would make all names similar.
        var nearest = NearestName(to: String(name.dropFirst(prefix.count)))
        for name in known.sorted() { nearest.compare(String(name.dropFirst(prefix.count))) }
        logger.warning(
          "an environment variable is no setting and has no effect",
          metadata: [
            "variable": "\(name)", "similar": "\(nearest.name.map { prefix + $0 } ?? "-")",
          ]
        )
      }
    }

    /// Returns the variable of a setting, as the library swift-configuration derives it.
    private static func variable(_ name: SettingName) -> String {
      var text = prefix
      var previous: Character?
      for character in name.rawValue {
        if character.isUppercase, previous?.isLowercase == true { text += "_" }
        text += character == "." ? "_" : character.uppercased()
        previous = character
      }
      return text
    }
  }
#endif
