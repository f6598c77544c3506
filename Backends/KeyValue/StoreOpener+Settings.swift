public import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension StoreOpener {
  /// Opens journalled stores with our own snapshot.
  public static var settings: StoreOpener { .journalled(SortedFormat()) }

  /// Opens journalled stores whose snapshot has the given form.
  public static func journalled(_ format: some SnapshotFormat) -> StoreOpener {
    StoreOpener(scheme: format.name) { url in
      format.recognises(Self.start(of: url.path(percentEncoded: false)))
    } open: { (url, _) throws(StorageError) in
      try InspectedStore(at: url, format: format)
    }
  }

  private static func start(of path: String) -> [UInt8] {
    guard let file = try? Descriptor(opening: path, O_RDONLY | O_NONBLOCK),
      let status = try? file.status(), status.st_mode & S_IFMT == S_IFREG
    else { return [] }
    return [UInt8]((try? file.read(16, at: 0)) ?? Data())
  }
}
