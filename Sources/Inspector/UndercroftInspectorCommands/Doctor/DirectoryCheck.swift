import Foundation

/// The check of the directories of the user in which applications store data.
///
/// On Linux, the directories follow the XDG Base Directory Specification.
enum DirectoryCheck {
  private static let variables = [
    ("data directory", "XDG_DATA_HOME", ".local/share"),
    ("configuration directory", "XDG_CONFIG_HOME", ".config"),
    ("state directory", "XDG_STATE_HOME", ".local/state"),
    ("cache directory", "XDG_CACHE_HOME", ".cache"),
  ]

  static func findings() -> [Finding] {
    let environment = ProcessInfo.processInfo.environment
    return variables.flatMap { subject, variable, fallback -> [Finding] in
      let value = environment[variable].flatMap { $0.isEmpty ? nil : $0 }
      var findings: [Finding] = []
      if let value, value.utf8.first != UInt8(ascii: "/") {
        findings.append(
          Finding(
            .warning, subject, "\(variable) is ignored, because it is not an absolute path",
            suggestion: "unset \(variable)"))
      }
      let home = environment["HOME"] ?? ""
      guard
        let path = value.flatMap({ $0.utf8.first == UInt8(ascii: "/") ? $0 : nil })
          ?? (home.isEmpty ? nil : home + "/" + fallback)
      else {
        return findings + [
          Finding(
            .warning, subject, "neither \(variable) nor HOME is set", suggestion: "export HOME=~")
        ]
      }
      return findings + [finding(subject, path)]
    }
  }

  private static func finding(_ subject: String, _ path: String) -> Finding {
    guard let folder = StoreFile(path) else {
      return Finding(.ok, subject, "\(path) (created by the first application that needs it)")
    }
    if folder.owner != geteuid() {
      return Finding(
        .warning, subject, "\(path) belongs to the user \(folder.owner)",
        suggestion: "run the tool as this user, or change the owner of the folder")
    }
    if folder.isWritableByOthers {
      return Finding(
        .warning, subject, "other users can write to \(path) (mode \(folder.modeText))",
        suggestion: "chmod go-w \(ShellText.quoted(path))")
    }
    return Finding(.ok, subject, "\(path) (mode \(folder.modeText))")
  }
}

extension StoreFile {
  /// Whether users other than the owner can write to the file, or replace files in the folder.
  ///
  /// In a folder with the sticky bit, other users can only replace their own files.
  var isWritableByOthers: Bool { mode & 0o022 != 0 && (isRegular || mode & 0o1000 == 0) }
}
