#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What stands at a path, told without opening it: a pipe would be waited for.
enum FileLook: Equatable {
  case absent
  /// It may not be read, or not even be looked for.
  case denied
  case file(size: Int)
  case folder
  /// A device, a pipe, a socket.
  case other

  init(_ url: URL) {
    // Attributes are those of a link itself.
    let path = url.resolvingSymlinksInPath().path(percentEncoded: false)
    do {
      let found = try FileManager.default.attributesOfItem(atPath: path)
      guard FileManager.default.isReadableFile(atPath: path) else {
        self = .denied
        return
      }
      switch found[.type] as? FileAttributeType {
      case .typeRegular: self = .file(size: found[.size] as? Int ?? 0)
      case .typeDirectory: self = .folder
      default: self = .other
      }
    } catch let error as CocoaError where error.code == .fileReadNoPermission {
      self = .denied
    } catch {
      self = .absent
    }
  }
}
