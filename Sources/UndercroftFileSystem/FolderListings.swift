import UndercroftCore

/// The names in folders, each of which is listed only once.
///
/// A command that examines many stores creates the listings and passes them to the code that finds
/// the files beside each store. If each store listed its folder, the time would grow with the
/// square of the number of stores in the folder.
///
/// The listings do not contain names that are created later. Do not store the listings for longer
/// than one command or one round of examinations, and do not use them for a decision that depends
/// on the present files, such as whether a file may be replaced.
package final class FolderListings {
  /// The number of folders that were listed.
  package private(set) var listedCount = 0
  /// The names in each folder in the order of their bytes, by the path of the folder.
  private var namesByFolder: [ExactString: [ExactString]] = [:]

  /// Creates listings without a folder.
  package init() {}

  /// Returns the names in a folder that begin with the bytes of `prefix`, in the order of their
  /// bytes.
  ///
  /// The folder is listed at the first call. A later call takes time that grows with the number of
  /// returned names and the logarithm of the number of all names. The result is empty if the folder
  /// cannot be listed.
  package func names(in folder: String, withPrefix prefix: String) -> [String] {
    let names = names(in: ExactString(folder))
    let wanted = ExactString(prefix)
    var (start, end) = (names.startIndex, names.endIndex)
    while start < end {
      let middle = start + (end - start) / 2
      if names[middle] < wanted { start = middle + 1 } else { end = middle }
    }
    return names[start...].prefix { $0.begins(with: prefix) }.map(\.text)
  }

  private func names(in folder: ExactString) -> [ExactString] {
    if let known = namesByFolder[folder] { return known }
    listedCount += 1
    let names = (try? Folder.names(in: Folder.open(folder.text))) ?? []
    let sorted = names.sorted(byBytesOf: \.self).map { ExactString($0) }
    namesByFolder[folder] = sorted
    return sorted
  }
}
