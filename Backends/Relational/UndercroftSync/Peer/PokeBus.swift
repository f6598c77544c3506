/// A connection between the processes of a server, through which they exchange pokes.
///
/// A poke is a hint, so a bus may lose, repeat and reorder pokes.
public protocol PokeBus: Sendable {
  /// Sends a poke to the other processes, and returns at once.
  ///
  /// The bus may send only the last of several pokes of one scope.
  func publish(_ poke: SyncPoke)

  /// Begins to pass the events of other processes to a closure, which returns at once.
  ///
  /// The closure can also receive the pokes that this process has published.
  func start(_ receive: @escaping @Sendable (PokeBusEvent) -> Void)
}

/// An event on a ``PokeBus``.
public enum PokeBusEvent: Sendable, Hashable {
  /// A scope has changed.
  case poke(SyncPoke)
  /// The bus has lost pokes, so every scope may have changed.
  case gap
}

extension SyncServer {
  /// Exchanges pokes with the other processes that use the same store.
  ///
  /// Call this function once, before the first request.
  public func connect(to bus: any PokeBus) {
    subscribers.connect(to: bus)
    bus.start { [weak self] event in
      switch event {
      case .poke(let poke): self?.subscribers.deliver(poke)
      case .gap: self?.pokeEveryScope()
      }
    }
  }

  /// Reads the versions of all scopes that have receivers of pokes, and sends the pokes.
  private func pokeEveryScope() {
    for scope in subscribers.scopes {
      // A poke is a hint, so an error of the store may lose it.
      if let head = (try? head(of: scope)) ?? nil {
        subscribers.deliver(SyncPoke(scope: scope, head: head))
      }
    }
  }

  /// Calls a closure for each poke of the given scopes, whatever the access of an account is, and
  /// returns the number with which to unsubscribe.
  ///
  /// - Parameter receive: a closure that returns at once.
  package func subscribe(
    to scopes: Set<ScopeIdentifier>, _ receive: @escaping @Sendable (SyncPoke) -> Void
  ) -> Int {
    subscribers.subscribe(to: scopes, receive)
  }

  /// Ends a subscription.
  package func unsubscribe(_ number: Int) { subscribers.unsubscribe(number) }
}
