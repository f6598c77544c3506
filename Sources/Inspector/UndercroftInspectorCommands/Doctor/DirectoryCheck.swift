import Foundation
import UndercroftFileSystem

/// The check of the directories of the user in which applications store data.
enum DirectoryCheck {
  static func findings() -> [Finding] { UserDirectory.allCases.flatMap { findings(about: $0) } }

  private static func findings(about directory: UserDirectory) -> [Finding] {
    let (subject, variable) = ("\(directory.rawValue) directory", directory.variable)
    var findings: [Finding] = []
    if let value = EnvironmentVariable.text(of: variable), !Folder.isAbsolute(value) {
      findings.append(
        Finding(
          .warning, subject, "\(variable) is ignored, because it is not an absolute path",
          suggestion: "unset \(variable)"))
    }
    guard let path = directory.path else {
      return findings + [
        Finding(
          .warning, subject, "neither \(variable) nor HOME is set", suggestion: "export HOME=~")
      ]
    }
    return findings + [finding(subject, path)]
  }

  private static func finding(_ subject: String, _ path: String) -> Finding {
    guard let folder = StoreFile(path) else {
      return Finding(.ok, subject, "\(path) (created by the first application that needs it)")
    }
    if folder.owner != geteuid() {
      return Finding(
        .warning, subject, "\(path) belongs to the user \(UserName.text(of: folder.owner))",
        suggestion: "run the tool as this user, or change the owner of the folder")
    }
    if folder.isWritableByOthers {
      return Finding(
        .warning, subject, "other users can write to \(path) (mode \(folder.modeText))",
        suggestion: "chmod go-w \(ShellText.shown(path))")
    }
    return Finding(.ok, subject, "\(path) (mode \(folder.modeText))")
  }
}
