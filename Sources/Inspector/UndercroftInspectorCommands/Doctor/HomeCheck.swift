import Foundation
import UndercroftCore
import UndercroftFileSystem
import UndercroftInspection

/// The check of an application's home, or of a single store.
struct HomeCheck {
  private let url: URL
  private let listings: FolderListings
  private let locks = HeldLocks.present()

  init(_ url: URL, listedBy listings: FolderListings) {
    self.url = url
    self.listings = listings
  }

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
    let filesByStore = filesByStore(stores)
    let files = files(of: stores, filesByStore, isHome: isHome)
    let places = [path] + stores.map(\.path).filter { StoreFile($0) != nil }
    let checks = stores.map { store in
      StoreCheck(store: store, owner: owner, files: filesByStore[ExactString(store.path)] ?? [])
    }
    return (isHome ? home(stores.count, owner) : [])
      + checks.flatMap { $0.findings() }
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

  /// Returns the files of each store, by the path of the store.
  private func filesByStore(_ stores: [DiscoveredStore]) -> [ExactString: [StoreFile]] {
    let pairs = DiscoveredStore.withoutSharedFiles(stores).map { store in
      (ExactString(store.path), StoreFile.all(at: store.url, listedBy: listings))
    }
    return Dictionary(pairs) { first, _ in first }
  }

  /// Returns the files of the home and of the stores outside of it, and the temporary files beside
  /// stores, without duplicates.
  private func files(
    of stores: [DiscoveredStore], _ filesByStore: [ExactString: [StoreFile]], isHome: Bool
  ) -> [StoreFile] {
    var files = isHome ? StoreFile.all(at: url, listedBy: listings) : []
    var folders: Set<ExactString> = []
    for store in DiscoveredStore.withoutSharedFiles(stores) {
      files += filesByStore[ExactString(store.path)] ?? []
      let folder = Folder.parent(of: store.path)
      if folders.insert(ExactString(folder)).inserted { files += temporaryFiles(in: folder) }
    }
    var known: Set<FileIdentity> = []
    return files.filter { known.insert($0.identity).inserted }
  }

  private func temporaryFiles(in folder: String) -> [StoreFile] {
    listings.names(in: folder, withPrefix: TemporaryFile.prefix)
      .filter { TemporaryName.matches($0) }
      .compactMap { StoreFile((folder as NSString).appendingPathComponent($0)) }
  }
}
