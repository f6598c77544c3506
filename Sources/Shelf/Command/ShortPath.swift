import Foundation

extension String {
  /// A path as short as it can be typed here.
  var fromHere: String {
    let here = FileManager.default.currentDirectoryPath + "/"
    return hasPrefix(here) ? String(dropFirst(here.count)) : self
  }
}
