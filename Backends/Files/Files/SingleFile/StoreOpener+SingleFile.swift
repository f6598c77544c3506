public import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension StoreOpener {
  /// Opens compressed single files.
  public static var singleFile: StoreOpener {
    StoreOpener(scheme: "singleFile") { url in
      guard
        let file = try? Descriptor(opening: url.path(percentEncoded: false), O_RDONLY | O_NONBLOCK),
        let start = try? file.read(8, at: 0)
      else { return false }
      return start.elementsEqual(SingleFileFormat.magic)
    } open: { (url, _) throws(StorageError) in
      let file = InspectedSingleFile(path: url.path(percentEncoded: false), limit: 1 << 30)
      _ = try file.load()
      return file
    }
  }
}
