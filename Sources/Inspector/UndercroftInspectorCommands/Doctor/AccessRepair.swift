import Foundation

/// The command that gives this user the access to a file or folder that the system denies.
enum AccessRepair {
  /// Returns the command for a path that this user cannot read.
  ///
  /// The command concerns the first folder above the path that cannot be searched, or else the item
  /// at the path itself.
  static func command(for path: String) -> String {
    let user = geteuid()
    if let folder = Reachability.folders(above: path).first(where: { access($0, X_OK) != 0 }) {
      let owner = StoreFile(folder)?.owner ?? 0
      let command = "chmod \(owner == user ? "u" : "o")+x \(ShellText.shown(folder))"
      return owner == user ? command : "\(command) (as the user \(UserName.text(of: owner)))"
    }
    let item = StoreFile(path)
    let isFolder = item?.isRegular == false
    let shown = ShellText.shown(path)
    if item?.owner == user { return "chmod u+\(isFolder ? "rx" : "r") \(shown)" }
    return "chown \(isFolder ? "-R " : "")\(user) \(shown) (as the user \(UserName.text(of: 0)))"
  }
}
