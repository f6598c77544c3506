import Foundation
import UndercroftCore
import UndercroftInspection

/// The names of the applications whose homes are in the data directory of the user.
enum ApplicationNames {
  /// The number of items in the data directory that are examined.
  private static let maximumCount = 1_000

  /// Returns the name that is most similar to a path at which nothing exists, or `nil` if no name
  /// is similar or the path contains a slash.
  static func nearest(to path: String) -> String? {
    let files = FileManager.default
    guard !path.contains("/"), !files.fileExists(atPath: path),
      let folder = UserDirectory.data.path,
      let items = try? files.contentsOfDirectory(atPath: folder)
    else { return nil }
    var nearest = NearestName(to: path)
    for item in items.sorted().prefix(maximumCount)
    where files.fileExists(atPath: "\(folder)/\(item)/\(StorageManifest.fileName)") {
      nearest.compare(item)
    }
    return nearest.name
  }
}
