import Foundation
import UndercroftCore
import UndercroftFileSystem
import UndercroftInspection

/// The check of an application's home, or of a single store.
struct HomeCheck {
  private let url: URL
  private let locks = HeldLock.all

  init(_ url: URL) { self.url = url }

  /// Returns the findings.
  ///
  /// - Throws: ``StorageError/Code/unavailable`` if there is no home or store at the path.
  func findings() throws(StorageError) -> [Finding] {
    let stores: [DiscoveredStore]
    do throws(StorageError) {
      stores = try Inspector(InspectorCommand.factories).stores(at: url)
    } catch {
      if error.code == .unavailable { throw error }
      return [
        Finding(.problem, "manifest", error.failure, suggestion: error.suggestion)
      ] + FileSystemCheck.findings(of: [path])
    }
    let isHome = stores.first.map { $0.kind != nil } ?? true
    let owner = expectedOwner
    let files = files(of: stores, isHome: isHome)
    let places = [path] + stores.map(\.path).filter { StoreFile($0) != nil }
    return (isHome ? home(stores.count, owner) : [])
      + stores.flatMap { StoreCheck(store: $0, owner: owner).findings() }
      + (isHome ? KeyFileCheck(home: path, stores: stores, files: files).findings() : [])
      + LeftoverCheck(files: files, locks: locks).findings()
      + UseCheck(files: files, locks: locks).findings()
      + FileSystemCheck.findings(of: places)
  }

  private var path: String { url.path(percentEncoded: false) }

  /// The user to whom all files should belong: the user of this process or, for the superuser, the
  /// owner of the home.
  private var expectedOwner: UInt32 {
    let user = geteuid()
    return user == 0 ? StoreFile(path)?.owner ?? 0 : user
  }

  private func home(_ storeCount: Int, _ owner: UInt32) -> [Finding] {
    let manifest = Finding(.ok, "manifest", EnglishText.counted(storeCount, "store"))
    guard let folder = StoreFile(path), folder.isWritableByOthers else { return [manifest] }
    return [
      manifest,
      Finding(
        .problem, "home", "other users can replace files in \(path) (mode \(folder.modeText))",
        suggestion: "chmod go-w \(ShellText.shown(path))"),
    ]
  }

  /// Returns the files of the home and of the stores outside of it, and the temporary files beside
  /// stores, without duplicates.
  private func files(of stores: [DiscoveredStore], isHome: Bool) -> [StoreFile] {
    var files = isHome ? StoreFile.all(at: url) : []
    for store in stores {
      files += StoreFile.all(at: store.url)
      let folder = store.url.deletingLastPathComponent().path(percentEncoded: false)
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      files += names.filter { TemporaryName.matches($0) }
        .compactMap { StoreFile((folder as NSString).appendingPathComponent($0)) }
    }
    var known: Set<FileIdentity> = []
    return files.filter { known.insert($0.identity).inserted }
  }
}
