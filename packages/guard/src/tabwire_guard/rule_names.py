"""The rules a finding can name. Written by `make docs` from the rooms."""

NAMES = frozenset(
    """
    agent.run agent.unguarded archive.absolute archive.backup archive.outside archive.unpack
    artisan.change browser.open checker.rewrite cloud.ansible cloud.change cloud.containers
    cloud.data cloud.deploy cloud.destroy cloud.elsewhere cloud.exec cloud.hosts cloud.init
    cloud.kubernetes cloud.login cloud.publish cloud.rights cloud.secret cloud.services
    cloud.settings cloud.share cloud.state cloud.tools cloud.upload cluster.change
    cluster.delete cluster.destroy cluster.exec cluster.local cluster.login cluster.other
    cluster.raw cluster.rights container.change container.context container.destroy
    container.escape container.exec container.image container.login container.mount
    container.network container.pull container.purge container.push container.remote
    container.remove container.runtime container.secret container.socket container.stop
    database.drop database.empty database.escape database.file database.prompt database.remote
    database.rights database.script database.unknown database.write decode.file delete.blank
    delete.build delete.lock delete.lost delete.piped delete.unknown delete.workspace desktop
    device.erase device.flash device.open device.read device.start device.talk device.write
    disk.change disk.destroy disk.erase disk.mount download.file download.hidden download.run
    download.unpack environment.elsewhere environment.lasting environment.machine
    environment.path environment.poison environment.remove git.branch git.change git.checkout
    git.clean git.danger git.delete git.discard git.elsewhere git.force git.history git.hooks
    git.program git.prune git.publish git.remote git.settings git.stash git.tag git.transport
    install interactive link link.outside looks.alike looks.control looks.direction looks.escape
    looks.invisible looks.line looks.overwrite looks.padding looks.private looks.space
    looks.wide make.recipe move move.lost name.hidden network.change network.connect
    network.copy network.delete network.download network.fetch network.hostkey network.listen
    network.load network.print network.private network.project network.proxy network.remote
    network.report network.scheme network.screen network.secret network.send network.serve
    network.session network.settings network.share network.shell network.socket network.ssh
    network.transfers network.tunnel network.unknown network.upload opaque open option.code
    option.elsewhere option.unknown option.unsafe ourselves.change ourselves.use own.ban
    package.cache package.create package.fetch package.hooks package.install package.publish
    package.registry package.remove package.run package.server package.settings package.token
    package.trust package.unpublish package.upgrade package.version parse permission persist.key
    persist.schedule persist.service persistence privilege privilege.elevate privilege.namespace
    privilege.setuid privilege.shell process.end process.kill process.vital property.write
    protection.certificate protection.off protection.policy quoting read.device read.unknown
    registry.delete registry.write rights.change rights.outside run.code run.com run.elsewhere
    run.file run.hidden run.inline run.loader run.many run.member run.module run.option
    run.outside run.piped run.remote run.script run.shell run.typed run.unknown run.window
    run.wmi run.written script.risky script.unknown secret.cloud secret.decrypt secret.encrypt
    secret.environment secret.hand secret.header secret.history secret.keys secret.login
    secret.password secret.project secret.read secret.screen secret.search secret.session
    secret.settings service.change session shadow system.bomb system.change system.clock
    system.essential system.firewall system.install system.logs system.remove system.restore
    system.rootkit system.service system.stop system.task system.trust system.types
    system.unchecked system.user system.users system.weaken too-much unknown.form unknown.option
    unknown.program unknown.type unknown.verb variable.hidden write.home write.inline write.log
    write.maybe-root write.metadata write.outside write.over write.patch write.protected
    write.unknown
    """.split()
)
