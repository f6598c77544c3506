public import Foundation

/// A changelog file of an installed package, with its size and modification time.
public struct ChangelogFile {
  /// The package and file name, such as "bash/changelog.Debian.gz".
  let name: String
  let path: String
  let size: Int64
  /// The modification time, in microseconds since 1970.
  let modified: Int64

  /// Returns the microseconds from 1970 to `date`, clamped to the range of `Int64`.
  public static func microseconds(of date: Date) -> Int64 {
    let count = date.timeIntervalSince1970 * 1_000_000
    if let exact = Int64(exactly: count.rounded(.towardZero)) { return exact }
    return count > 0 ? .max : .min
  }

  /// Returns the changelogs in a directory such as `/usr/share/doc`,
  /// without the files that this process may not read.
  static func all(in directory: String) throws(InputError) -> [ChangelogFile] {
    let manager = FileManager.default
    guard let packages = try? manager.contentsOfDirectory(atPath: directory) else {
      throw .unreadable(path: directory, reason: "the path is not a readable directory")
    }
    var files: [ChangelogFile] = []
    for package in packages.sorted() {
      let folder = directory + "/" + package
      for file in (try? manager.contentsOfDirectory(atPath: folder))?.sorted() ?? []
      where file.hasPrefix("changelog") && file.hasSuffix(".gz") {
        if let found = ChangelogFile("\(package)/\(file)", folder + "/" + file) {
          files.append(found)
        }
      }
    }
    return files
  }

  private init?(_ name: String, _ path: String) {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard attributes?[.type] as? FileAttributeType == .typeRegular,
      let size = attributes?[.size] as? NSNumber,
      let modified = attributes?[.modificationDate] as? Date,
      FileManager.default.isReadableFile(atPath: path)
    else { return nil }
    self.name = name
    self.path = path
    self.size = size.int64Value
    self.modified = Self.microseconds(of: modified)
  }
}
