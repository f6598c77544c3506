import UndercroftFoundation

/// The kind of a file at a path, determined without opening it, because opening a FIFO would block.
enum FileKind: Equatable {
  /// Nothing exists at the path.
  case absent
  /// The file cannot be read, or the folder that contains it cannot be searched.
  case denied
  /// A readable regular file of `size` bytes.
  case file(size: Int)
  /// A readable folder.
  case folder
  /// A device, a FIFO or a socket.
  case other

  init(_ url: URL) {
    // The attributes of a symbolic link would be those of the link itself.
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
