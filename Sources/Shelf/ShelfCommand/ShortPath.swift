import Foundation

extension String {
  /// The path that this string contains, relative to the
  /// current directory if the path is inside that directory.
  var fromHere: String {
    let here = FileManager.default.currentDirectoryPath + "/"
    return hasPrefix(here) ? String(dropFirst(here.count)) : self
  }
}
